import Dispatch
import Foundation

extension Scenario {
  /// A cache holds its lock while it syncs onto the disk queue; the disk queue's work takes the
  /// cache's lock.
  ///
  /// **What people write.** `value(for:)` looks into memory under the lock and, on a miss, reads
  /// the disk with `queue.sync`, still under it. The clean-up, a block on the disk queue, takes the
  /// lock to drop what it deleted.
  ///
  /// **Why it breaks.** A lock and a queue are two locks of different make. Look-up: lock, then
  /// queue. Clean-up: queue, then lock.
  ///
  /// **How it shows.** The program stands still when a clean-up meets a miss. A debugger shows one
  /// thread in a lock and one in `dispatch_sync`, and no tool for lock orders knows that a queue
  /// can be held.
  ///
  /// **Repair.** Leave the lock before the `sync`, and take it again for the result.
  static let lockAndQueue = Scenario(
    id: "lock-and-queue", fault: .deadlocks,
    summary: "A lock is held around queue.sync, and work of that queue takes the lock.",
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
      let cache = DiskCache()
      let cleaned = Arrivals()
      onThreads(
        {
          cleaned.waitAWhile()
          _ = cache.valueUnderLock(for: "avatar")
        },
        {
          cache.cleanUp(done: { cleaned.announce() })
        })
    },
    harmful: {
      let cache = DiskCache()
      let both = Arrivals()
      cache.cleanUp(meanwhile: { both.meet(2, limit: .infinity) })
      _ = cache.valueUnderLock(for: "avatar") { both.meet(2, limit: .infinity) }
    },
    repaired: {
      let cache = DiskCache()
      let both = Arrivals()
      cache.cleanUp(meanwhile: { both.meet(2, limit: 0.1) })
      precondition(
        cache.value(for: "avatar", meanwhile: { both.meet(2, limit: 0.1) }) == "avatar from disk")
    })
}

/// `lock` protects `memory`.
private final class DiskCache: @unchecked Sendable {
  private let lock = NSLock()
  private let disk = DispatchQueue(label: "disk")
  private var memory: [String: String] = [:]

  /// `meanwhile` stands for the deletion of files.
  func cleanUp(
    meanwhile: @escaping @Sendable () -> Void = {}, done: @escaping @Sendable () -> Void = {}
  ) {
    disk.async { [self] in
      meanwhile()
      lock.withLock { memory.removeAll() }
      done()
    }
  }

  /// `meanwhile` stands for the search in memory.
  func valueUnderLock(for key: String, meanwhile: () -> Void = {}) -> String {
    lock.lock()
    defer { lock.unlock() }
    meanwhile()
    if let value = memory[key] { return value }
    let value = disk.sync { "\(key) from disk" }
    memory[key] = value
    return value
  }

  func value(for key: String, meanwhile: () -> Void = {}) -> String {
    let known = lock.withLock {
      meanwhile()
      return memory[key]
    }
    if let known { return known }
    let value = disk.sync { "\(key) from disk" }
    lock.withLock { memory[key] = value }
    return value
  }
}
