import Synchronization

extension Scenario {
  /// A lock made of one atomic flag, which guards a counter.
  ///
  /// **What people write.** To take the lock, exchange the flag until it was false; to give it
  /// back, store false. Only taking it needs an order, it seems: giving it back waits for nobody.
  ///
  /// **Why it breaks.** The store that gives the lock back has to come after all that was done
  /// under it. Relaxed, it may come before the counter is written.
  ///
  /// **How it shows.** On ARM, a count that is too low under load.
  ///
  /// **Repair.** Give it back with `.releasing`. Better still, use a `Mutex`.
  static let spinLock = Scenario(
    id: "spin-lock", fault: .memory,
    summary: "A spin lock is given back by a relaxed store.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, tsan: .finds("dataRace"), explore: .finds("dataRace"),
        options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let counter = Counter()
      onThreads({ counter.addRelaxed() }, { counter.addRelaxed() })
      demand(counter.total, equals: 2)
    },
    repaired: {
      let counter = Counter()
      onThreads({ counter.add() }, { counter.add() })
      demand(counter.total, equals: 2)
    })
}

private final class Counter: @unchecked Sendable {
  private let isLocked = Atomic(false)
  // Guarded by `isLocked`.
  private(set) var total = 0

  func addRelaxed() {
    lock()
    total += 1
    isLocked.store(false, ordering: .relaxed)
  }

  func add() {
    lock()
    total += 1
    isLocked.store(false, ordering: .releasing)
  }

  private func lock() {
    while isLocked.exchange(true, ordering: .acquiring) {}
  }
}
