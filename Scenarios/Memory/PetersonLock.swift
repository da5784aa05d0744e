import Synchronization

extension Scenario {
  /// A lock for two threads out of three variables, from the textbook.
  ///
  /// **What people write.** Say that you want to enter, give the other one the way, and wait until
  /// it does not want to or gives you the way. The stores release and the loads acquire.
  ///
  /// **Why it breaks.** The algorithm needs each thread's stores to be seen before it looks at the
  /// other's. Acquire and release do not promise that.
  ///
  /// **How it shows.** Two threads inside, seldom; a count that is too low.
  ///
  /// **Repair.** `.sequentiallyConsistent` for both stores and both loads of the entry; or a
  /// `Mutex`.
  static let petersonLock = Scenario(
    id: "peterson-lock", fault: .memory,
    summary: "Peterson's lock is written with acquire and release.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let gate = Gate()
      onThreads({ gate.countWeakly(as: 0) }, { gate.countWeakly(as: 1) })
      demand(gate.visitors, equals: 2)
    },
    repaired: {
      let gate = Gate()
      onThreads({ gate.count(as: 0) }, { gate.count(as: 1) })
      demand(gate.visitors, equals: 2)
    })
}

private final class Gate: Sendable {
  private final class Wish: Sendable { let isThere = Atomic(false) }

  private let wishes = [Wish(), Wish()]
  private let turn = Atomic(0)
  private let number = Atomic(0)

  var visitors: Int { number.load(ordering: .relaxed) }

  func countWeakly(as me: Int) {
    let other = 1 - me
    wishes[me].isThere.store(true, ordering: .releasing)
    turn.store(other, ordering: .releasing)
    while waitsWeakly(for: other) {}
    count()
    wishes[me].isThere.store(false, ordering: .releasing)
  }

  func count(as me: Int) {
    let other = 1 - me
    wishes[me].isThere.store(true, ordering: .sequentiallyConsistent)
    turn.store(other, ordering: .sequentiallyConsistent)
    while waits(for: other) {}
    count()
    wishes[me].isThere.store(false, ordering: .releasing)
  }

  private func waitsWeakly(for other: Int) -> Bool {
    wishes[other].isThere.load(ordering: .acquiring) && turn.load(ordering: .acquiring) == other
  }

  private func waits(for other: Int) -> Bool {
    wishes[other].isThere.load(ordering: .sequentiallyConsistent)
      && turn.load(ordering: .sequentiallyConsistent) == other
  }

  /// In two steps, since only one thread at a time is here.
  private func count() {
    number.store(number.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }
}
