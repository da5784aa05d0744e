import ThreadmillModel

extension AwaitChain {
  /// The most tasks of one chain that are told one by one.
  private static let placesShown = 8

  /// Who waits at which `await`, for what, and where the tasks were started: one fact for each
  /// place. Tasks that wait alike are told once.
  ///
  /// - Parameter name: what to call the task with this number.
  package func facts(name: (UInt32) -> String) -> [Finding.Fact] {
    let crowds = self.crowds
    let shown = crowds.prefix(Self.placesShown)
    let more = crowds.dropFirst(Self.placesShown).map(\.count).reduce(0, +)
    let rest = more > 0 ? [Finding.Fact("\(more) more like these, elsewhere")] : []
    return shown.flatMap { crowd in
      [waits(crowd, name: name)] + start(of: crowd[0], name: name)
    } + rest
  }

  /// The tasks, those together that wait alike and were started at one place.
  private var crowds: [[SuspendedTask]] {
    var crowds: [[SuspendedTask]] = []
    for task in tasks {
      let shape = Shape(task)
      if let index = crowds.firstIndex(where: {
        Shape($0[0]) == shape && $0[0].created == task.created && !task.isRoot && !$0[0].isRoot
      }) {
        crowds[index].append(task)
      } else {
        crowds.append([task])
      }
    }
    return crowds
  }

  private func waits(_ crowd: [SuspendedTask], name: (UInt32) -> String) -> Finding.Fact {
    let more = crowd.count == 1 ? "" : " and \(crowd.count - 1) more like it"
    let verb = crowd.count == 1 ? "waits" : "wait"
    let subject = "\(name(crowd[0].number))\(more)"
    let object = object(of: crowd[0], name: name)
    return .init("\(subject) \(verb) for \(object)", frames: crowd[0].place)
  }

  private func object(of task: SuspendedTask, name: (UInt32) -> String) -> String {
    switch task.awaited {
    case .continuation(let object?): "\(object.displayName), which nobody has resumed"
    case .continuation(nil): "a continuation that nobody has resumed"
    case .task(let number?): "the end of \(name(number))"
    case .task(nil): "the end of another task"
    case .group: group(of: task, name: name)
    case .turn(let actor?): "its turn on \(actor.displayName)"
    case .turn(nil): "a thread"
    case .unknown: "something that is not known"
    }
  }

  private func group(of task: SuspendedTask, name: (UInt32) -> String) -> String {
    let members = tasks.filter { $0.parent == task.number }
    guard let first = members.first else { return "the tasks of its group" }
    let more = members.count == 1 ? "" : " and \(members.count - 1) more"
    return "its group, with \(name(first.number))\(more)"
  }

  /// The body or test was started by the harness, which says nothing.
  private func start(of task: SuspendedTask, name: (UInt32) -> String) -> [Finding.Fact] {
    guard !task.isRoot, !task.created.isEmpty else { return [] }
    return [.init("\(name(task.number)) was started", frames: task.created)]
  }
}
