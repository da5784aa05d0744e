import Dispatch
import Foundation

extension Scenario {
  /// A screen keeps an object of a database context and changes it outside the context's queue.
  ///
  /// **What people write.** A database context belongs to one queue, and so do the objects that it
  /// hands out. A screen fetches an account on that queue, keeps the object, and later changes it
  /// right where the user's tap arrives.
  ///
  /// **Why it breaks.** The object is not guarded: the context's queue is its guard. A background
  /// import changes the same object at the same time, on the queue, as it should.
  ///
  /// **How it shows.** One of two changes is lost, rarely and never in a test; with real databases
  /// also as faults that cannot be fulfilled and as crashes in the library.
  ///
  /// **Repair.** Keep the identifier. Go to the queue, look the object up there, change it there.
  static let brokenConfinement = Scenario(
    id: "broken-confinement", fault: .dataRaces,
    summary: "An object of a database context is changed outside the context's queue.",
    expectations: [
      .flawed: .init(.ends, observe: .finds("confinementViolation")),
      .harmful: .init(
        .errs, observe: .finds("confinementViolation"),
        tsan: .finds("confinementViolation", "dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let context = DatabaseContext()
      let account = context.queue.sync { context.account(7) }
      account.deposit(100)
      demand(context.queue.sync { account.balance }, equals: 100)
    },
    harmful: {
      let context = DatabaseContext()
      let account = context.queue.sync { context.account(7) }
      let meeting = Arrivals()
      context.queue.async {
        context.account(7).deposit(25) { meeting.meet(2, limit: 5) }
      }
      account.deposit(100) { meeting.meet(2, limit: 5) }
      demand(context.queue.sync { account.balance }, equals: 125)
    },
    repaired: {
      let context = DatabaseContext()
      let identifier = context.queue.sync { context.account(7).identifier }
      let meeting = Arrivals()
      context.queue.async {
        context.account(7).deposit(25) { meeting.meet(2, limit: 0.1) }
      }
      context.queue.sync {
        context.account(identifier).deposit(100) { meeting.meet(2, limit: 0.1) }
      }
      demand(context.queue.sync { context.account(identifier).balance }, equals: 125)
    })
}

/// Belongs to its queue, with everything that it hands out.
private final class DatabaseContext: @unchecked Sendable {
  let queue = DispatchQueue(label: "database")
  // Used on the queue only.
  private var accounts: [Int: Account] = [:]
  private let assertOnQueue: Probes.Assertion

  init() { assertOnQueue = Probes.installed.confinement("DatabaseContext", queue) }

  func account(_ identifier: Int) -> Account {
    assertOnQueue()
    if let account = accounts[identifier] { return account }
    let account = Account(identifier, of: queue)
    accounts[identifier] = account
    return account
  }
}

private final class Account: @unchecked Sendable {
  let identifier: Int
  // Used on the context's queue only, or so it is meant.
  private var cents = 0
  private let assertOnQueue: Probes.Assertion

  init(_ identifier: Int, of queue: DispatchQueue) {
    self.identifier = identifier
    assertOnQueue = Probes.installed.confinement("Account", queue)
  }

  var balance: Int {
    assertOnQueue()
    return cents
  }

  /// `meanwhile` stands for what a busy machine does between reading and writing.
  func deposit(_ amount: Int, meanwhile: () -> Void = {}) {
    assertOnQueue()
    let before = cents
    meanwhile()
    cents = before + amount
  }
}
