import Foundation

extension Scenario {
  /// A lock dies, and another one with the other order is born at its address.
  ///
  /// **What people write.** A connection has a lock that lives as long as it does. One connection
  /// is closed, the next one is opened; the allocator hands out the same piece of memory.
  ///
  /// **Why it looks dangerous.** By address, it is one lock that is taken before the log's and
  /// after it.
  ///
  /// **Why it is correct.** They are two locks. The first had ended when the second began.
  static let reusedAddress = Scenario(
    id: "reused-address",
    summary: "A lock is freed, and one with the other order takes its address.",
    correct: {
      reuseStorage()
      reuseObjects()
    })
}

/// The same storage, so the same address for certain.
private func reuseStorage() {
  let log = NSLock()
  let slot = Slot()
  let closed = Arrivals()
  onThreads(
    {
      slot.open()
      slot.lock()
      log.withLock {}
      slot.unlock()
      slot.close()
      closed.announce()
    },
    {
      closed.wait()
      slot.open()
      log.lock()
      slot.lock()
      slot.unlock()
      log.unlock()
      slot.close()
    })
}

/// New objects, as people make them; the allocator often gives the same address again.
private func reuseObjects() {
  let log = NSLock()
  let turns = Arrivals()
  onThreads(
    {
      for round in 0..<50 {
        turns.wait(for: 2 * round)
        let connection = NSLock()
        connection.withLock { log.withLock {} }
        turns.announce()
      }
    },
    {
      for round in 0..<50 {
        turns.wait(for: 2 * round + 1)
        let connection = NSLock()
        log.withLock { connection.withLock {} }
        turns.announce()
      }
    })
}

/// Room for one lock at a time; the threads take turns with `open` and `close`.
private final class Slot: @unchecked Sendable {
  private let storage = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  deinit { storage.deallocate() }

  func open() { pthread_mutex_init(storage, nil) }
  func lock() { pthread_mutex_lock(storage) }
  func unlock() { pthread_mutex_unlock(storage) }
  func close() { pthread_mutex_destroy(storage) }
}
