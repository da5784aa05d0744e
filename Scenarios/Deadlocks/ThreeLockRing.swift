import Foundation

extension Scenario {
  /// Three cooks, three burners: each takes the own one and then the next one round the stove.
  ///
  /// **What people write.** Three modules; the first calls into the second under its lock, the
  /// second into the third, and the third, since last week, into the first. No pair of them ever
  /// disagrees about the order.
  ///
  /// **Why it breaks.** The order is a ring. If all three hold their own lock, each waits for the
  /// next one.
  ///
  /// **How it shows.** It needs three threads at the same moment, so it is rarer than a pair, and
  /// harder to see in a review, since every two modules look right together.
  ///
  /// **Repair.** Number the locks: the cook at the end of the row takes the lower number first,
  /// too.
  static let threeLockRing = Scenario(
    id: "three-lock-ring", fault: .deadlocks,
    summary: "Three threads take a then b, b then c, c then a.",
    expectations: [
      .flawed: .init(
        .ends, observe: .finds("lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .hangs, observe: .finds("deadlock", allowing: "lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let stove = Stove()
      let served = Arrivals()
      onThreads(
        {
          stove.cookSoup()
          served.announce()
        },
        {
          served.waitAWhile(for: 1)
          stove.cookFish()
          served.announce()
        },
        {
          served.waitAWhile(for: 2)
          stove.cookSauce()
        })
    },
    harmful: {
      let stove = Stove()
      let all = Arrivals()
      onThreads(
        { stove.cookSoup { all.meet(3, limit: .infinity) } },
        { stove.cookFish { all.meet(3, limit: .infinity) } },
        { stove.cookSauce { all.meet(3, limit: .infinity) } })
    },
    repaired: {
      let stove = Stove()
      let all = Arrivals()
      onThreads(
        { stove.cookSoup { all.meet(3, limit: 0.1) } },
        { stove.cookFish { all.meet(3, limit: 0.1) } },
        { stove.cookSauceInOrder { all.meet(3, limit: 0.1) } })
    })
}

private final class Stove: Sendable {
  private let left = NSLock()
  private let middle = NSLock()
  private let right = NSLock()

  func cookSoup(meanwhile: () -> Void = {}) {
    left.withLock {
      meanwhile()
      middle.withLock {}
    }
  }

  func cookFish(meanwhile: () -> Void = {}) {
    middle.withLock {
      meanwhile()
      right.withLock {}
    }
  }

  func cookSauce(meanwhile: () -> Void = {}) {
    right.withLock {
      meanwhile()
      left.withLock {}
    }
  }

  func cookSauceInOrder(meanwhile: () -> Void = {}) {
    left.withLock {
      meanwhile()
      right.withLock {}
    }
  }
}
