import Foundation

/// A lock in memory of its own, so that its address never moves; it lives as long as the process.
struct ReadWriteLock: @unchecked Sendable {
  // `@unchecked`: the pointer never changes, and what it points at is made for several threads.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() { pthread_rwlock_init(lock, nil) }
  func read() { pthread_rwlock_rdlock(lock) }
  func write() { pthread_rwlock_wrlock(lock) }
  func unlock() { pthread_rwlock_unlock(lock) }
}

struct SpinLock: @unchecked Sendable {
  // `@unchecked`: the pointer never changes, and what it points at is made for several threads.
  private let lock = UnsafeMutablePointer<pthread_spinlock_t>.allocate(capacity: 1)

  init() { pthread_spin_init(lock, 0) }

  func withLock(_ body: () -> Void) {
    pthread_spin_lock(lock)
    body()
    pthread_spin_unlock(lock)
  }
}

struct PosixSemaphore: @unchecked Sendable {
  // `@unchecked`: the pointer never changes, and what it points at is made for several threads.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }
  func post() { sem_post(semaphore) }
  func wait() { sem_wait(semaphore) }
}

struct PosixBarrier: @unchecked Sendable {
  // `@unchecked`: the pointer never changes, and what it points at is made for several threads.
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(count: UInt32) { pthread_barrier_init(barrier, nil, count) }
  func wait() { pthread_barrier_wait(barrier) }
}

/// A thread that can be joined, which `Thread` cannot.
struct PosixThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var handle = pthread_t()

  init(_ run: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(Body(run)).toOpaque()
    pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument)
  }

  func join() { pthread_join(handle, nil) }
  func detach() { pthread_detach(handle) }
}
