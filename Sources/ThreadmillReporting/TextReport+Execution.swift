import ThreadmillModel

extension TextReport {
  /// What a thread runs, in one line, as far as that says more than the other lines do; `nil` where
  /// it does not.
  ///
  /// A block on a queue that the thread is seen to hold, or on a global queue that nobody chose a
  /// quality for, is told by the stacks.
  package static func words(on participant: Finding.Participant) -> String? {
    guard let runs = participant.runs, runs.saysMore(than: participant) else { return nil }
    var way = runs.queues.map(\.name)
    if let root = runs.rootName { way.append(root) }
    if way.isEmpty { way = ["a queue that is not known"] }
    var words = [way.joined(separator: " → ")]
    if let group = runs.group { words.append("in group \(group)") }
    if let job = runs.job { words.append("as " + job.name) }
    if let actor = runs.actor { words.append("on actor \(actor)") }
    return words.joined(separator: ", ")
  }
}

extension Execution {
  fileprivate func saysMore(than participant: Finding.Participant) -> Bool {
    if queues.count > 1 || group != nil || job != nil { return true }
    if let root, root != .standard { return true }
    return queues.contains { queue in !participant.holds.contains { $0.object == queue.id } }
  }

  fileprivate var rootName: String? {
    let name = isPooled ? "the threads of Swift's tasks" : "global queue"
    return root.map { "\(name) (\($0.name))" } ?? (isPooled ? name : nil)
  }
}

extension Execution.Queue {
  fileprivate var name: String { label.map { "\"\($0)\"" } ?? "\(kind.noun) \(id)" }
}

extension Execution.Job {
  fileprivate var name: String {
    let name = task.map { "task \($0)" } ?? "a job of Swift's"
    return priority.map { "\(name) of \($0.name) priority" } ?? name
  }
}
