import Synchronization

extension Scenario {
  /// Two drawers are opened in either order, but only by whoever has the key of the desk.
  ///
  /// **What people write.** A `Mutex` around everything that needs more than one of the small ones.
  ///
  /// **Why it looks dangerous.** The two small ones are nested in both orders, by different
  /// threads.
  ///
  /// **Why it is correct.** The big one, the gate, keeps the threads apart. A checker that does not
  /// see an uncontended `Mutex` does not see the gate.
  static let mutexAsGate = Scenario(
    id: "mutex-as-gate", summary: "Opposite orders of two Mutexes, always under a third one.",
    correct: {
      let desk = Desk()
      let both = Arrivals()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<200 { desk.file() }
        },
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<200 { desk.search() }
        })
      precondition(desk.uses == 400)
    })
}

private final class Desk: Sendable {
  private let key = Mutex(0)
  private let upper = Mutex(0)
  private let lower = Mutex(0)

  var uses: Int { key.withLock { $0 } }

  func file() {
    key.withLock { uses in
      upper.withLock { papers in lower.withLock { papers += $0 } }
      uses += 1
    }
  }

  func search() {
    key.withLock { uses in
      lower.withLock { papers in upper.withLock { papers += $0 } }
      uses += 1
    }
  }
}
