import Foundation

extension Scenario {
  /// A catalogue keeps its lock over the `await` of a download.
  ///
  /// **What people write.** `refresh` has to be one step, so it takes the lock, awaits the new
  /// prices, stores them and unlocks. The compiler forbids `NSLock.lock()` in asynchronous code;
  /// two small functions that are not asynchronous make it quiet.
  ///
  /// **Why it breaks.** At the `await` the task leaves its thread, with the lock still locked.
  /// Every task that asks for a price blocks a thread of the pool. When all of them are blocked,
  /// none is left for the download's task to come back to and unlock.
  ///
  /// **How it shows.** Under load everything that is `async` stands still, at 0 % CPU; first on
  /// machines with few cores. Where it does not, a thread unlocks what another one has locked,
  /// which POSIX leaves undefined.
  ///
  /// **Repair.** Await first, then lock for the assignment; or an actor.
  static let lockAcrossAwait = Scenario(
    id: "lock-across-await", fault: .deadlocks,
    summary: "A lock is taken before an await and released after it.",
    expectations: [
      .flawed: .init(
        .hangs, observe: .finds("lockAcrossSuspension", allowing: "poolStarvation", "hang")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { sell { await $0.refreshInOneStep() } },
    repaired: { sell { await $0.refresh() } })
}

/// A refresh that meets more customers than there are threads for tasks.
private func sell(refreshing: @escaping @Sendable (Catalogue) async -> Void) {
  let catalogue = Catalogue()
  let customers = 2 * ProcessInfo.processInfo.activeProcessorCount
  let everybody = DispatchGroup()
  everybody.enter()
  Task.detached {
    await refreshing(catalogue)
    everybody.leave()
  }
  catalogue.shop.connected.wait()
  for _ in 0..<customers {
    everybody.enter()
    Task.detached {
      _ = catalogue.price(of: "hammer")
      everybody.leave()
    }
  }
  // The customers are at the counter when the answer comes.
  Thread.sleep(forTimeInterval: 0.2)
  catalogue.shop.answer()
  everybody.wait()
}

/// `lock` protects `prices`.
private final class Catalogue: @unchecked Sendable {
  let shop = Shop()
  private let lock = NSLock()
  private var prices: [String: Int] = [:]

  func refreshInOneStep() async {
    beginUpdate()
    prices = await shop.prices()
    endUpdate()
  }

  func refresh() async {
    let new = await shop.prices()
    beginUpdate()
    prices = new
    endUpdate()
  }

  func price(of article: String) -> Int? { lock.withLock { prices[article] } }

  private func beginUpdate() { lock.lock() }
  private func endUpdate() { lock.unlock() }
}

/// The other end of a connection.
private final class Shop: Sendable {
  let connected = Arrivals()
  private let line = AsyncStream.makeStream(of: Void.self)

  func prices() async -> [String: Int] {
    connected.announce()
    for await _ in line.stream { return ["hammer": 20] }
    return [:]
  }

  func answer() { line.continuation.yield() }
}
