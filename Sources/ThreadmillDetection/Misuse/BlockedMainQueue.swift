import ThreadmillModel

/// Blocks and waits that keep the main queue from going on.
///
/// The findings are warnings, because the machine decides how long is too long. Each place is told
/// once.
struct BlockedMainQueue {
  private var told: Set<Backtrace> = []

  mutating func held(_ event: Happening.MainQueueHeld) -> Finding? {
    guard told.insert(event.submitted).inserted else { return nil }
    var participant = event.thread.participant(
      role: "ran one block on the main queue for \(event.waiters.milliseconds) ms")
    participant.frames = event.function.map { [Frame(address: $0)] } ?? []
    participant.submitted = event.submitted
    participant.holds = []
    return Finding(
      kind: .blockedMainQueue, status: .observed, severity: .warning,
      title: "Main queue held for \(event.waiters.milliseconds) ms by one block, "
        + "while \(event.waiters.others) queued there",
      participants: [participant], objects: [event.queue], facts: event.waiters.facts,
      tests: Set(event.thread.tests).sorted())
  }

  mutating func waited(_ event: Happening.MainThreadWaited) -> Finding? {
    guard told.insert(event.thread.stack).inserted else { return nil }
    let object = event.object
    return Finding(
      kind: .blockedMainQueue, status: .observed, severity: .warning,
      title: "Main queue held for \(event.waiters.milliseconds) ms by a wait for "
        + "\(object.displayName), while \(event.waiters.others) queued there",
      participants: [
        event.thread.participant(
          role: "waited for \(object.displayName) for \(event.waiters.milliseconds) ms")
      ],
      objects: [object], facts: event.waiters.facts,
      tests: Set(event.thread.tests).sorted())
  }
}

extension Happening.MainQueueWaiters {
  fileprivate var others: String {
    count == 1 ? "another block was" : "\(count) other blocks were"
  }

  fileprivate var facts: [Finding.Fact] {
    var seen: Set<Backtrace> = []
    return submitted.filter { seen.insert($0).inserted }
      .map { Finding.Fact("a block that had to wait was submitted", frames: $0) }
  }
}
