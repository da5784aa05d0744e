import ThreadmillModel

extension WaitForGraph {
  /// A cycle as a finding, the thread with the lowest number first.
  func finding(_ cycle: [ThreadID]) -> Finding {
    let lowest = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
    let order = (cycle[lowest...] + cycle[..<lowest]).compactMap { threads[$0] }
    let wanted = order.compactMap { $0.joins == nil ? $0.waitsFor?.lock : nil }
    let clauses = order.map { "\(name($0)) \(waiting($0))" }
    return Finding(
      kind: .deadlock, status: .observed, severity: .error,
      title: "Deadlock: " + clauses.joined(separator: ", "),
      participants: zip(order, order.suffix(1) + order.dropLast()).map(participant),
      objects: wanted.map(known),
      tests: Set(order.flatMap(\.tests)).sorted())
  }

  private func participant(_ thread: ThreadSnapshot, before: ThreadSnapshot) -> Finding.Participant
  {
    let hold = before.joins == nil ? thread.held.first { $0.lock == before.waitsFor?.lock } : nil
    let holding = hold.map { known($0.lock).holding($0.mode) + " and " } ?? ""
    return thread.participant(role: holding + waiting(thread))
  }

  private func waiting(_ thread: ThreadSnapshot) -> String {
    if let joined = thread.joins {
      let name = threads[joined].map(name) ?? "thread \(joined)"
      return "waits for the end of \(name)"
    }
    return thread.waitsFor.map { known($0.lock).awaiting($0.mode) } ?? "runs"
  }

  private func name(_ thread: ThreadSnapshot) -> String {
    guard let name = thread.name, !name.isEmpty else { return "thread \(thread.thread)" }
    return "thread \"\(name)\""
  }

  private func known(_ lock: LockID) -> SharedObject {
    describe(lock) ?? SharedObject(id: lock, kind: .mutex)
  }
}

extension ThreadSnapshot {
  /// This thread's part in a finding, with all that it holds and wants.
  func participant(role: String) -> Finding.Participant {
    Finding.Participant(
      thread: thread, threadName: name, role: role, frames: stack,
      holds: held.map { Finding.HeldObject(object: $0.lock, mode: $0.mode, frames: $0.site) },
      wants: joins == nil ? waitsFor?.lock : nil, submitted: submitted, runs: runs)
  }
}
