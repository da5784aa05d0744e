import ThreadmillModel

/// Suspended tasks that wait for each other: from those that a test or a body cannot end without,
/// to what nobody resumes.
package struct AwaitChain {
  /// The tasks, each before those that it waits for.
  package private(set) var tasks: [SuspendedTask]

  /// Returns one chain for each of the connected parts of the tasks. A chain begins with tests and
  /// bodies where it has any.
  package static func chains(of tasks: [SuspendedTask]) -> [AwaitChain] {
    var left = tasks.sorted { $0.number < $1.number }
    var chains: [AwaitChain] = []
    // Tasks that no other one waits for come second; what is left then waits in a circle.
    let awaited = Set(left.flatMap { awaitedTasks(of: $0, among: tasks) })
    let heads: [(SuspendedTask) -> Bool] = [
      \.isRoot, { !awaited.contains($0.number) }, { _ in true },
    ]
    for isHead in heads {
      while let head = left.first(where: isHead) {
        let chain = reached(from: head, among: left)
        let told = Set(chain.map(\.number))
        left.removeAll { told.contains($0.number) }
        add(chain, to: &chains, among: tasks)
      }
    }
    return chains
  }

  /// Adds the tasks to the chain that they lead to, or as a new one.
  private static func add(
    _ tasks: [SuspendedTask], to chains: inout [AwaitChain], among all: [SuspendedTask]
  ) {
    if let known = chains.firstIndex(where: { $0.isLedTo(by: tasks, among: all) }) {
      chains[known].tasks += tasks
    } else {
      chains.append(AwaitChain(tasks: tasks))
    }
  }

  /// Returns what the task with the body of an exploration, or of a test, waits for in the end;
  /// `nil` if no such task is suspended.
  package static func fromRoot(_ tasks: [SuspendedTask]) -> AwaitChain? {
    let sorted = tasks.sorted { $0.number < $1.number }
    return sorted.first(where: \.isRoot).map {
      AwaitChain(tasks: reached(from: $0, among: sorted))
    }
  }

  /// The tasks of several chains, told as one.
  init(joining chains: [AwaitChain]) { tasks = chains.flatMap(\.tasks) }

  private init(tasks: [SuspendedTask]) { self.tasks = tasks }

  private static func reached(
    from head: SuspendedTask, among tasks: [SuspendedTask]
  ) -> [SuspendedTask] {
    var found = [head]
    var next = 0
    while next < found.count {
      let wanted = awaitedTasks(of: found[next], among: tasks)
      found += tasks.filter { task in
        wanted.contains(task.number) && !found.contains { $0.number == task.number }
      }
      next += 1
    }
    return found
  }

  private static func awaitedTasks(
    of task: SuspendedTask, among tasks: [SuspendedTask]
  ) -> [UInt32] {
    switch task.awaited {
    case .task(let number): [number].compactMap(\.self)
    case .group: tasks.filter { $0.parent == task.number }.map(\.number)
    case .continuation, .turn, .unknown: []
    }
  }

  private func isLedTo(by other: [SuspendedTask], among all: [SuspendedTask]) -> Bool {
    other.contains { task in
      Self.awaitedTasks(of: task, among: all).contains { number in
        tasks.contains { $0.number == number }
      }
    }
  }

  // MARK: The end

  /// The tasks that wait for no other suspended task.
  package var ends: [SuspendedTask] {
    tasks.filter { task in
      let wanted = Self.awaitedTasks(of: task, among: tasks)
      return !wanted.contains { number in tasks.contains { $0.number == number } }
    }
  }

  /// Whether the chain leads to a task or an actor that is busy, so that a thread is to blame.
  package var leadsToThread: Bool {
    ends.contains { task in
      switch task.awaited {
      case .task(_?), .turn: true
      case .task(nil), .continuation, .group, .unknown: false
      }
    }
  }

  /// Whether a thread runs a task, or has an actor, that the chain leads to.
  func leads(toAnyOf threads: [ThreadSnapshot]) -> Bool { threads.contains(where: leads) }

  private func leads(to thread: ThreadSnapshot) -> Bool {
    if let task = thread.runs?.job?.task, busyTasks.contains(task) { return true }
    if endsAtGroup, thread.runs?.job != nil, !Set(tests).isDisjoint(with: thread.tests) {
      return true
    }
    return thread.held.contains { busyActors.contains($0.lock) }
  }

  /// The tests that its tasks work for.
  var tests: [String] { Set(tasks.flatMap(\.tests)).sorted() }

  /// Whether it leads to a group of which no task is suspended. In a standstill, threads that
  /// cannot go on run these tasks, or keep them from their start.
  private var endsAtGroup: Bool { ends.contains { $0.awaited == .group } }

  /// The running tasks that the chain leads to.
  private var busyTasks: Set<UInt32> {
    Set(
      ends.compactMap { task in
        if case .task(let number?) = task.awaited { number } else { nil }
      })
  }

  /// The actors that the chain leads to.
  private var busyActors: Set<LockID> {
    Set(
      ends.compactMap { task in
        if case .turn(let actor?) = task.awaited { actor.id } else { nil }
      })
  }

  /// What tells chains of different mistakes apart.
  var shape: [Shape] {
    var shape: [Shape] = []
    for task in tasks {
      let part = Shape(task)
      if !shape.contains(part) { shape.append(part) }
    }
    return shape
  }

  struct Shape: Hashable {
    private let awaits: String
    private let place: Backtrace

    init(_ task: SuspendedTask) {
      awaits =
        switch task.awaited {
        case .continuation: "continuation"
        case .task: "task"
        case .group: "group"
        case .turn(let actor): "turn \(actor?.id.rawValue ?? 0)"
        case .unknown: "unknown"
        }
      place = task.place
    }
  }
}
