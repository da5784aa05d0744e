import Synchronization

extension Scenario {
  /// A theatre sells the last seat twice.
  ///
  /// **What people write.** The free seats are in a `Mutex`. `book` asks for a free seat in one
  /// `withLock`, takes the money, and removes the seat in another one.
  ///
  /// **Why it breaks.** Each `withLock` is one step, and the two of them are not. Two customers are
  /// offered the same seat before either has it removed.
  ///
  /// **How it shows.** Two tickets for one seat, in the evening of the première. No checker of data
  /// races has anything to say: every access is locked.
  ///
  /// **Repair.** Find and remove in one `withLock`; put the seat back if the money does not come.
  static let twoStepMutex = Scenario(
    id: "two-step-mutex", fault: .atomicity,
    summary: "A value in a Mutex is asked for in one withLock and changed in another.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let theatre = Theatre()
      onThreads({ theatre.bookInTwoSteps() }, { theatre.bookInTwoSteps() })
      demand(theatre.tickets, equals: [7])
    },
    harmful: {
      let theatre = Theatre()
      let both = Arrivals()
      onThreads(
        { theatre.bookInTwoSteps { both.meet(2, limit: .infinity) } },
        { theatre.bookInTwoSteps { both.meet(2, limit: .infinity) } })
      demand(theatre.tickets, equals: [7])
    },
    repaired: {
      let theatre = Theatre()
      let both = Arrivals()
      onThreads(
        { theatre.book { both.meet(2, limit: 0.1) } },
        { theatre.book { both.meet(2, limit: 0.1) } })
      demand(theatre.tickets, equals: [7])
    })
}

private final class Theatre: Sendable {
  private let free = Mutex<Set<Int>>([7])
  private let sold = Mutex<[Int]>([])

  var tickets: [Int] { sold.withLock { $0 } }

  /// `paying` stands for the time that the customer takes.
  func bookInTwoSteps(paying: () -> Void = {}) {
    guard let seat = free.withLock({ $0.first }) else { return }
    paying()
    free.withLock { _ = $0.remove(seat) }
    sold.withLock { $0.append(seat) }
  }

  func book(paying: () -> Void = {}) {
    guard let seat = free.withLock({ $0.popFirst() }) else { return }
    paying()
    sold.withLock { $0.append(seat) }
  }
}
