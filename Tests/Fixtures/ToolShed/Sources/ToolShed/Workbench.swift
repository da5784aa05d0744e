import Foundation

/// A bench whose lock may be taken again by the carpenter who has it.
public final class Workbench: Sendable {
  private let bench = NSRecursiveLock()
  private let drawer = NSLock()

  public init() {}

  public func tidy() { bench.withLock {} }

  /// Takes the bench, the drawer, and the bench once more.
  public func sortScrews() {
    bench.lock()
    drawer.lock()
    tidy()
    drawer.unlock()
    bench.unlock()
  }
}

/// Room for one lock at a time: lock after lock lives at the same address.
///
/// Protected by the caller, who never uses it on two threads at once.
public final class Hook: @unchecked Sendable {
  private let storage = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  public init() {}

  deinit { storage.deallocate() }

  public func hang() { pthread_mutex_init(storage, nil) }
  public func lock() { pthread_mutex_lock(storage) }
  public func unlock() { pthread_mutex_unlock(storage) }
  public func takeDown() { pthread_mutex_destroy(storage) }
}
