import Foundation

extension Scenario {
  /// The initialiser of a `static let` reads from a database whose lock its first user may hold.
  ///
  /// **What people write.** `Formats.shared` reads the currency from the database, under the
  /// database's lock. A booking holds that lock and writes an amount with `Formats.shared`. The
  /// lock is recursive, so one thread may do both.
  ///
  /// **Why it breaks.** A `static let` is made once, and whoever comes meanwhile waits: that is a
  /// lock, too, although nobody wrote one. One thread makes the formats and wants the database;
  /// the other has the database and wants the formats.
  ///
  /// **How it shows.** A hang soon after the start, once in many starts, and never again once the
  /// formats are made.
  ///
  /// **Repair.** Use the `static let` before the lock is taken; better, hand its initialiser what
  /// it needs, so that it takes no lock.
  static let onceAndLock = Scenario(
    id: "once-and-lock", fault: .deadlocks,
    summary: "A static let's initialiser takes a lock under which others first use the static let.",
    expectations: [
      // The runtime waits for a `static let` in a place of its own: such a thread looks as if it
      // ran, so there is neither a cycle of locks nor a hang to be seen.
      // A process makes its formats once: only the first schedule of an exploration has a choice.
      .flawed: .init(.mayHang, observe: .missed, explore: .missed),
      .harmful: .init(.hangs, observe: .missed, explore: .finds("hang")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let database = Database.shared
      onThreads({ database.bookUnderLock(5) }, { Formats.shared.show() })
    },
    harmful: {
      let database = Database.shared
      let booking = Arrivals()
      onThreads(
        {
          database.bookUnderLock(5) {
            booking.announce()
            Formats.begun.wait()
          }
        },
        {
          booking.wait()
          Formats.shared.show()
        })
    },
    repaired: {
      let database = Database.shared
      let booking = Arrivals()
      onThreads(
        {
          database.book(5) {
            booking.announce()
            Formats.begun.wait()
          }
        },
        {
          booking.wait()
          Formats.shared.show()
        })
    })
}

/// `lock` protects `lines`.
private final class Database: @unchecked Sendable {
  static let shared = Database()

  private let lock = NSRecursiveLock()
  private var lines = ["EUR"]

  func readCurrency() -> String { lock.withLock { lines[0] } }

  /// `meanwhile` stands for the rest of the booking.
  func bookUnderLock(_ amount: Int, meanwhile: () -> Void = {}) {
    lock.withLock {
      meanwhile()
      lines.append("\(amount) \(Formats.shared.currency)")
    }
  }

  func book(_ amount: Int, meanwhile: () -> Void) {
    let formats = Formats.shared
    lock.withLock {
      meanwhile()
      lines.append("\(amount) \(formats.currency)")
    }
  }
}

private final class Formats: Sendable {
  static let shared = Formats()
  /// Whether somebody has begun to make them.
  static let begun = Arrivals()

  let currency: String

  private init() {
    Self.begun.announce()
    currency = Database.shared.readCurrency()
  }

  func show() { precondition(currency == "EUR") }
}
