import Dispatch

extension Scenario {
  /// The ledger syncs onto the journal, and the journal syncs onto the ledger.
  ///
  /// **What people write.** Two classes, each with a serial queue for its state. A booking is noted
  /// in the journal while the ledger is held; the journal's report asks the ledger for the balance
  /// while the journal is held.
  ///
  /// **Why it breaks.** A booking and a report at the same time: each holds its queue and waits for
  /// the other one.
  ///
  /// **How it shows.** Two threads sleep for ever at 0 % CPU. In tests, where bookings and reports
  /// take turns, never.
  ///
  /// **Repair.** One direction only: the report asks for the balance before it goes onto the
  /// journal's queue.
  static let mutualQueueSync = Scenario(
    id: "mutual-queue-sync", fault: .deadlocks,
    summary: "Queue A syncs onto queue B while B syncs onto A.",
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
      let (ledger, journal) = makeBooks()
      let booked = Arrivals()
      onThreads(
        {
          ledger.book(100)
          booked.announce()
        },
        {
          booked.waitAWhile()
          _ = journal.report()
        })
    },
    harmful: {
      let (ledger, journal) = makeBooks()
      let both = Arrivals()
      onThreads(
        { ledger.book(100) { both.meet(2, limit: .infinity) } },
        { _ = journal.report { both.meet(2, limit: .infinity) } })
    },
    repaired: {
      let (ledger, journal) = makeBooks()
      let both = Arrivals()
      onThreads(
        { ledger.book(100) { both.meet(2, limit: 0.1) } },
        { _ = journal.reportAskingFirst { both.meet(2, limit: 0.1) } })
      precondition(journal.reportAskingFirst() == "1 entries, balance 100")
    })
}

private func makeBooks() -> (ledger: Ledger, journal: Journal) {
  let ledger = Ledger()
  let journal = Journal(of: ledger)
  ledger.journal = journal
  return (ledger, journal)
}

/// `queue` protects `balance`; `journal` is set once, before the ledger is shared.
private final class Ledger: @unchecked Sendable {
  private let queue = DispatchQueue(label: "ledger")
  private var balance = 0
  weak var journal: Journal?

  var currentBalance: Int { queue.sync { balance } }

  /// `meanwhile` stands for whatever takes time while the queue is held.
  func book(_ amount: Int, meanwhile: () -> Void = {}) {
    queue.sync {
      balance += amount
      meanwhile()
      journal?.note("booked \(amount)")
    }
  }
}

/// `queue` protects `entries`.
private final class Journal: @unchecked Sendable {
  private let queue = DispatchQueue(label: "journal")
  private let ledger: Ledger
  private var entries: [String] = []

  init(of ledger: Ledger) { self.ledger = ledger }

  func note(_ entry: String) { queue.sync { entries.append(entry) } }

  func report(meanwhile: () -> Void = {}) -> String {
    queue.sync {
      meanwhile()
      return "\(entries.count) entries, balance \(ledger.currentBalance)"
    }
  }

  func reportAskingFirst(meanwhile: () -> Void = {}) -> String {
    let balance = ledger.currentBalance
    return queue.sync {
      meanwhile()
      return "\(entries.count) entries, balance \(balance)"
    }
  }
}
