import Foundation

extension Scenario {
  /// A currency table is loaded under a lock when it is first needed; a flag spares the lock later.
  ///
  /// **What people write.** "If it is ready, take it; else lock, look again, load." Within the lock
  /// the flag is set first, then the table: nobody can look before the lock is left.
  ///
  /// **Why it breaks.** Who looks at the flag outside the lock can. And with the flag set last it
  /// is still a plain variable: compiler and processor may make it true before the table is there.
  ///
  /// **How it shows.** A price of 0 in the first second after a start. On another processor, a
  /// crash in a table that is half there.
  ///
  /// **Repair.** Look within the lock; or make the flag an atomic, and store it last.
  static let doubleCheckedFlag = Scenario(
    id: "double-checked-flag", fault: .dataRaces,
    summary: "A plain flag is looked at outside the lock that guards the object.",
    expectations: [
      .flawed: .init(.ends, observe: .missed, tsan: .finds("dataRace")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let currencies = Currencies()
      let both = Arrivals()
      let loaded = Sighting()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          demand(currencies.yen(), equals: 163)
          loaded.show()
        },
        {
          both.meet(2, limit: .infinity)
          loaded.wait()
          demand(currencies.yen(), equals: 163)
        })
    },
    harmful: {
      let loading = Sighting()
      let looked = Sighting()
      let currencies = Currencies {
        loading.show()
        looked.wait()
      }
      onThreads(
        { demand(currencies.yen(), equals: 163) },
        {
          loading.wait()
          demand(currencies.yen(), equals: 163)
          looked.show()
        })
    },
    repaired: {
      let loading = Sighting()
      let looked = Sighting()
      let currencies = Currencies {
        loading.show()
        looked.wait(limit: 0.1)
      }
      onThreads(
        { demand(currencies.lockedYen(), equals: 163) },
        {
          loading.wait()
          demand(currencies.lockedYen(), equals: 163)
          looked.show()
        })
    })
}

private final class Currencies: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`; but see `yen()`.
  private var isReady = false
  private var rate = 0
  private let readFile: @Sendable () -> Void

  /// `readFile` is what takes time when the table is loaded.
  init(readFile: @escaping @Sendable () -> Void = {}) { self.readFile = readFile }

  func yen() -> Int {
    if isReady { return rate }
    return lockedYen()
  }

  func lockedYen() -> Int {
    lock.withLock {
      if !isReady {
        isReady = true
        readFile()
        rate = 163
      }
      return rate
    }
  }
}
