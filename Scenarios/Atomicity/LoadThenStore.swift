import Foundation
import Synchronization

extension Scenario {
  /// Tickets are numbered with an atomic counter, which is read and then written.
  ///
  /// **What people write.** The counter was a race, so it became an `Atomic`. The line that counts
  /// was translated word by word: load the number, store the number plus one.
  ///
  /// **Why it breaks.** The load is atomic and the store is atomic. Two counters who load before
  /// either stores get the same number.
  ///
  /// **How it shows.** Two tickets with one number, on the busiest day. To a race detector atomic
  /// accesses are beyond suspicion, and so the last trace of the fault is gone.
  ///
  /// **Repair.** One operation that does both: `add`, which also returns the number; for more than
  /// an addition a loop with `compareExchange`.
  static let loadThenStore = Scenario(
    id: "load-then-store", fault: .atomicity,
    summary: "An atomic is loaded and then stored where it should be added to.",
    expectations: [
      // An atomic access is no point: nobody else has a turn between the load and the store.
      .flawed: .init(.mayErr, observe: .missed, explore: .missed),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let office = TicketOffice()
      onThreads({ office.sellInTwoSteps() }, { office.sellInTwoSteps() })
      demand(office.numbers, equals: [1, 2])
    },
    harmful: {
      let office = TicketOffice()
      let both = Arrivals()
      onThreads(
        { office.sellInTwoSteps { both.meet(2, limit: .infinity) } },
        { office.sellInTwoSteps { both.meet(2, limit: .infinity) } })
      demand(office.numbers, equals: [1, 2])
    },
    repaired: {
      let office = TicketOffice()
      let both = Arrivals()
      onThreads(
        { office.sell { both.meet(2, limit: .infinity) } },
        { office.sell { both.meet(2, limit: .infinity) } })
      demand(office.numbers, equals: [1, 2])
    })
}

private final class TicketOffice: Sendable {
  private let last = Atomic(0)
  private let sold = Mutex<[Int]>([])

  var numbers: [Int] { sold.withLock { $0.sorted() } }

  /// `meanwhile` stands for what a busy machine does between reading and writing.
  func sellInTwoSteps(meanwhile: () -> Void = {}) {
    let number = last.load(ordering: .sequentiallyConsistent) + 1
    meanwhile()
    last.store(number, ordering: .sequentiallyConsistent)
    sold.withLock { $0.append(number) }
  }

  func sell(meanwhile: () -> Void) {
    meanwhile()
    let number = last.add(1, ordering: .sequentiallyConsistent).newValue
    sold.withLock { $0.append(number) }
  }
}
