import Foundation

extension Scenario {
  /// A printer's thread leaves early, and takes the key of the paper store along.
  ///
  /// **What people write.** A thread of its own does one piece of work under a lock, and returns
  /// where there is nothing to do.
  ///
  /// **Why it breaks.** The early return skips the `unlock()`, and the thread ends. The lock names
  /// an owner that is gone: no other thread can ever take it.
  ///
  /// **How it shows.** The next one waits for ever, and no thread is there that holds the lock.
  ///
  /// **Repair.** `defer { key.unlock() }` right after the lock, or `withLock`.
  static let endedOwner = Scenario(
    id: "ended-owner", fault: .misuse,
    summary: "A thread returns early and ends, with a lock that others need.",
    expectations: [
      .flawed: .init(
        .hangs, observe: .finds("deadlock", "lockMisuse"),
        explore: .finds("deadlock", allowing: "lockMisuse")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let store = PaperStore()
      onThreads({ store.take(0) })
      store.take(1)
    },
    repaired: {
      let store = PaperStore()
      onThreads({ store.takeAndReturn(0) })
      store.takeAndReturn(1)
    })
}

/// `key` protects `sheets`.
private final class PaperStore: @unchecked Sendable {
  private let key = NSLock()
  private var sheets = 10

  func take(_ count: Int) {
    key.lock()
    if count == 0 { return }
    sheets -= count
    key.unlock()
  }

  func takeAndReturn(_ count: Int) {
    key.lock()
    defer { key.unlock() }
    if count == 0 { return }
    sheets -= count
  }
}
