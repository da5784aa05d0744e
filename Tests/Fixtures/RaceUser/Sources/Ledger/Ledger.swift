import Foundation

/// Adds up; with and without its lock.
public final class Ledger: @unchecked Sendable {
  private let lock = NSLock()
  private var total = 0

  public init() {}

  public func addUnguarded(_ amount: Int) {
    total += amount
  }

  public func addGuarded(_ amount: Int) {
    lock.lock()
    defer { lock.unlock() }
    total += amount
  }

  /// Guarded, but each thread by a lock of its own.
  public func addUnderWrongLock(_ amount: Int, _ own: NSLock) {
    own.lock()
    defer { own.unlock() }
    total += amount
  }
}

/// A mistake in the code under test: whichever test calls it, no frame of the race is the test's.
public func closeTheBooks() {
  let ledger = Ledger()
  together {
    ledger.addUnguarded(1)
  } _: {
    ledger.addUnguarded(2)
  }
}
