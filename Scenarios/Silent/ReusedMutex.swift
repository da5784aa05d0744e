import Synchronization

extension Scenario {
  /// A `Mutex` dies, and another one with the other order is born at its address.
  ///
  /// **What people write.** A session has its state in a `Mutex` that lives as long as it does.
  /// One session ends, the next one begins; the allocator hands out the same piece of memory.
  ///
  /// **Why it looks dangerous.** By address, it is one lock that is taken before the log's and
  /// after it. And the end of a `Mutex` is not even a call.
  ///
  /// **Why it is correct.** They are two locks. The first had ended when the second began.
  static let reusedMutex = Scenario(
    id: "reused-mutex",
    summary: "A Mutex is freed, and one with the other order takes its address.",
    correct: {
      let log = Session()
      let turns = Arrivals()
      onThreads(
        {
          for round in 0..<50 {
            turns.wait(for: 2 * round)
            Session().append(to: log)
            turns.announce()
          }
        },
        {
          for round in 0..<50 {
            turns.wait(for: 2 * round + 1)
            log.append(to: Session())
            turns.announce()
          }
        })
    })
}

private final class Session: Sendable {
  private let lines = Mutex(0)

  func append(to other: Session) {
    lines.withLock { mine in other.lines.withLock { $0 += mine } }
  }
}
