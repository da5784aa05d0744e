import Foundation
import Synchronization

extension Scenario {
  /// A shop moves goods from the cellar to the shelf, and what is left over back again.
  ///
  /// **What people write.** Each place has its goods in a `Mutex`. `stockUp` empties the cellar
  /// inside of its `withLock`, and fills the shelf inside of the shelf's. `clear` does the same the
  /// other way round.
  ///
  /// **Why it breaks.** A closure of `withLock` that calls another `withLock` holds both locks. The
  /// two functions take them in opposite orders.
  ///
  /// **How it shows.** Never in a test: the two functions would have to meet within a few
  /// instructions. In the shop, one day, the kernel notices the circle, and the program ends with
  /// "Recursive call to lock Mutex", though nothing is recursive.
  ///
  /// **Repair.** Both functions take the cellar first. Or take the goods out under the one lock,
  /// and put them away under the other.
  static let oppositeMutexes = Scenario(
    id: "opposite-mutexes", fault: .deadlocks,
    summary: "Closures of two Mutexes' withLock are nested in opposite orders.",
    expectations: [
      .flawed: .init(
        .ends, observe: .finds("lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .traps, observe: .finds("deadlock", allowing: "lockOrderCycle", "crash"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let shop = CornerShop()
      let stocked = Arrivals()
      onThreads(
        {
          shop.stockUp()
          stocked.announce()
        },
        {
          stocked.waitAWhile()
          shop.clear()
        })
    },
    harmful: {
      let shop = CornerShop()
      let both = Arrivals()
      onThreads(
        { shop.stockUp { both.meet(2, limit: .infinity) } },
        { shop.clear { both.meet(2, limit: .infinity) } })
    },
    repaired: {
      let shop = CornerShop()
      let both = Arrivals()
      onThreads(
        { shop.stockUp { both.meet(2, limit: 0.1) } },
        { shop.clearInOrder { both.meet(2, limit: 0.1) } })
      precondition(shop.goods == ["apples", "bread", "cheese"])
    })
}

private final class CornerShop: Sendable {
  private let cellar = Mutex(["apples", "bread"])
  private let shelf = Mutex(["cheese"])

  var goods: [String] { (cellar.withLock { $0 } + shelf.withLock { $0 }).sorted() }

  /// `meanwhile` stands for the way up.
  func stockUp(meanwhile: () -> Void = {}) {
    cellar.withLock { stored in
      meanwhile()
      shelf.withLock { $0 += stored }
      stored = []
    }
  }

  /// `meanwhile` stands for the way down.
  func clear(meanwhile: () -> Void = {}) {
    shelf.withLock { offered in
      meanwhile()
      cellar.withLock { $0 += offered }
      offered = []
    }
  }

  func clearInOrder(meanwhile: () -> Void = {}) {
    cellar.withLock { stored in
      meanwhile()
      shelf.withLock { offered in
        stored += offered
        offered = []
      }
    }
  }
}
