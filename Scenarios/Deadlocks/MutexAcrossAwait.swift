import Foundation
import Synchronization

extension Scenario {
  /// A forecast keeps a `Mutex` locked over the `await` of new data.
  ///
  /// **What people write.** `withLock` takes no asynchronous closure. So the type locks and unlocks
  /// the `Mutex` itself, with the functions that begin with an underscore, and awaits in between.
  ///
  /// **Why it breaks.** At the `await` the task leaves its thread, and the `Mutex` stays locked,
  /// with that thread as its owner. The thread runs another task, which asks for the forecast: for
  /// the `Mutex`, that is its owner once more. And the first task may go on on another thread,
  /// which may not unlock what it has not locked.
  ///
  /// **How it shows.** Under load the program ends with "Recursive call to lock Mutex" or "Call to
  /// unlock Mutex on a thread which hasn't acquired the lock".
  ///
  /// **Repair.** Await first, then lock for the assignment; or an actor.
  static let mutexAcrossAwait = Scenario(
    id: "mutex-across-await", fault: .deadlocks,
    summary: "A Mutex is locked by hand before an await and unlocked after it.",
    expectations: [
      .flawed: .init(
        .traps,
        observe: .finds("lockAcrossSuspension", allowing: "poolStarvation", "hang", "crash")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { travel { await $0.refreshInOneStep() } },
    repaired: { travel { await $0.refresh() } })
}

/// A refresh that meets more travellers than there are threads for tasks.
private func travel(refreshing: @escaping @Sendable (Forecast) async -> Void) {
  let forecast = Forecast()
  let travellers = 2 * ProcessInfo.processInfo.activeProcessorCount
  let everybody = DispatchGroup()
  everybody.enter()
  Task.detached {
    await refreshing(forecast)
    everybody.leave()
  }
  forecast.station.connected.wait()
  for _ in 0..<travellers {
    everybody.enter()
    Task.detached {
      _ = forecast.degrees
      everybody.leave()
    }
  }
  // The travellers are there when the answer comes.
  Thread.sleep(forTimeInterval: 0.2)
  forecast.station.answer()
  everybody.wait()
}

/// `@unchecked Sendable`: each access to `current` is made with `lock` locked.
private final class Forecast: @unchecked Sendable {
  let station = Station()
  private let lock = Mutex<Void>(())
  private var current = 0

  var degrees: Int { lock.withLock { _ in current } }

  func refreshInOneStep() async {
    lock._unsafeLock()
    current = await station.degrees()
    lock._unsafeUnlock()
  }

  func refresh() async {
    let new = await station.degrees()
    lock.withLock { _ in current = new }
  }
}

/// The other end of a connection.
private final class Station: Sendable {
  let connected = Arrivals()
  private let line = AsyncStream.makeStream(of: Void.self)

  func degrees() async -> Int {
    connected.announce()
    for await _ in line.stream { return 21 }
    return 0
  }

  func answer() { line.continuation.yield() }
}
