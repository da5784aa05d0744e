import Foundation

extension Scenario {
  /// A settings store takes its plain lock, and calls a method of its own that takes it again.
  ///
  /// **What people write.** `reset` runs under the lock and uses `set`, which is the public way to
  /// store a value and therefore locks.
  ///
  /// **Why it breaks.** `NSLock` is not recursive. The thread waits for a lock that it holds
  /// itself.
  ///
  /// **How it shows.** A silent hang at 0 % CPU, each time, on the first use of the path. On other
  /// platforms the same code may crash instead.
  ///
  /// **Repair.** An inner method that expects the lock to be held; or a recursive lock, if the
  /// callers cannot be told apart.
  static let relock = Scenario(
    id: "relock", fault: .deadlocks,
    summary: "A plain NSLock is taken twice by one thread.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("selfDeadlock")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let settings = Settings()
      settings.resetThroughSetter()
    },
    repaired: {
      let settings = Settings()
      settings.reset()
      precondition(settings.value(for: "volume") == "5")
    })
}

/// `lock` protects `values`.
private final class Settings: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: String] = [:]

  func value(for key: String) -> String? { lock.withLock { values[key] } }

  func set(_ value: String, for key: String) {
    lock.lock()
    store(value, for: key)
    lock.unlock()
  }

  func resetThroughSetter() {
    lock.lock()
    values.removeAll()
    set("5", for: "volume")
    lock.unlock()
  }

  func reset() {
    lock.lock()
    values.removeAll()
    store("5", for: "volume")
    lock.unlock()
  }

  /// Expects the lock to be held.
  private func store(_ value: String, for key: String) { values[key] = value }
}
