import Foundation

/// Something that one thread at a time has, of whatever kind.
protocol Exclusive: Sendable {
  init()
  func take()
  func leave()
}

/// A POSIX object that lives for ever: these programs end soon.
struct Forever<Object>: @unchecked Sendable {
  // Only handed on to POSIX functions, which may be called from every thread.
  let address = UnsafeMutablePointer<Object>.allocate(capacity: 1)
}

struct PlainMutex: Exclusive {
  private let object = Forever<pthread_mutex_t>()
  init() { pthread_mutex_init(object.address, nil) }
  @inline(never) func take() { pthread_mutex_lock(object.address) }
  @inline(never) func leave() { pthread_mutex_unlock(object.address) }
}

struct WriteLock: Exclusive {
  private let object = Forever<pthread_rwlock_t>()
  init() { pthread_rwlock_init(object.address, nil) }
  @inline(never) func take() { pthread_rwlock_wrlock(object.address) }
  @inline(never) func leave() { pthread_rwlock_unlock(object.address) }
}

struct SpinLock: Exclusive {
  private let object = Forever<pthread_spinlock_t>()
  init() { pthread_spin_init(object.address, 0) }
  @inline(never) func take() { pthread_spin_lock(object.address) }
  @inline(never) func leave() { pthread_spin_unlock(object.address) }
}

struct PosixSemaphore: Exclusive {
  private let object = Forever<sem_t>()
  init() { sem_init(object.address, 0, 1) }
  @inline(never) func take() { sem_wait(object.address) }
  @inline(never) func leave() { sem_post(object.address) }
}

struct BinarySemaphore: Exclusive {
  private let semaphore = DispatchSemaphore(value: 1)
  func take() { semaphore.wait() }
  func leave() { semaphore.signal() }
}

/// Two of a kind, and both orders.
struct Pair<Lock: Exclusive>: Sendable {
  private let hammer = Lock()
  private let saw = Lock()

  @inline(never) func forward() { nest(hammer, saw) }
  @inline(never) func backward() { nest(saw, hammer) }

  /// One piece of code for both orders.
  @inline(never) private func nest(_ outer: Lock, _ inner: Lock) {
    outer.take()
    inner.take()
    inner.leave()
    outer.leave()
  }
}

/// The same in two pieces of code, so that not all is told by the innermost frames.
struct SplitPair: Sendable {
  private let hammer = NSLock()
  private let saw = NSRecursiveLock()

  @inline(never) func forward() {
    hammer.withLock { saw.withLock {} }
  }

  /// - Parameter depth: how often it calls itself first.
  @inline(never) func backward(depth: Int = 0) {
    if depth > 0 { return backward(depth: depth - 1) }
    saw.withLock { hammer.withLock {} }
  }
}
