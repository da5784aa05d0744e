import Foundation
import Synchronization

extension Scenario {
  /// A rate is loaded under a lock; an atomic flag spares the lock later.
  ///
  /// **What people write.** The plain flag of a double-checked lock was a race, so it became an
  /// `Atomic<Bool>`. The lock orders everything else, so `.relaxed` seems to be enough.
  ///
  /// **Why it breaks.** Whoever sees the flag does not take the lock, and so nothing orders the
  /// rate before the flag, nor the flag before what is read behind it.
  ///
  /// **How it shows.** On ARM, a price of 0 in the first second after a start.
  ///
  /// **Repair.** Store the flag with `.releasing` and load it with `.acquiring`.
  static let isLoaded = Scenario(
    id: "is-loaded", fault: .memory,
    summary: "The atomic flag of a double-checked lock is stored and loaded relaxed.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, tsan: .perhaps("dataRace"), explore: .finds("dataRace"),
        options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let currency = Currency()
      onThreads(
        { demand(currency.rateRelaxed(), equals: 163) },
        { demand(currency.rateRelaxed(), equals: 163) })
    },
    repaired: {
      let currency = Currency()
      onThreads(
        { demand(currency.rate(), equals: 163) },
        { demand(currency.rate(), equals: 163) })
    })
}

private final class Currency: @unchecked Sendable {
  private let lock = NSLock()
  private let isLoaded = Atomic(false)
  // Written under `lock`, before `isLoaded` becomes true.
  private var value = 0

  func rateRelaxed() -> Int {
    if isLoaded.load(ordering: .relaxed) { return value }
    return lock.withLock {
      if !isLoaded.load(ordering: .relaxed) {
        value = 163
        isLoaded.store(true, ordering: .relaxed)
      }
      return value
    }
  }

  func rate() -> Int {
    if isLoaded.load(ordering: .acquiring) { return value }
    return lock.withLock {
      if !isLoaded.load(ordering: .relaxed) {
        value = 163
        isLoaded.store(true, ordering: .releasing)
      }
      return value
    }
  }
}
