import Dispatch
import Foundation

let foundationLockPatterns: [Pattern] = [
  .exclusive("nslock", "NSLock.lock") {
    let lock = NSLock()
    return { body in lock.withLock(body) }
  },

  .exclusive("nslock-try", "NSLock.try") {
    let lock = NSLock()
    return { body in
      while !lock.try() { sched_yield() }
      body()
      lock.unlock()
    }
  },

  .exclusive("nslock-before", "NSLock.lock(before:)") {
    let lock = NSLock()
    return { body in
      while !lock.lock(before: Date(timeIntervalSinceNow: 1)) {}
      body()
      lock.unlock()
    }
  },

  .exclusive("nsrecursivelock", "NSRecursiveLock.lock") {
    let lock = NSRecursiveLock()
    return { body in lock.withLock { lock.withLock(body) } }
  },

  .exclusive("nscondition-as-lock", "NSCondition.lock") {
    let lock = NSCondition()
    return { body in lock.withLock(body) }
  },

  // `lock()` without a date traps when it has to wait, in a build of any kind (Swift 6.3.1).
  .exclusive("nsconditionlock-as-lock", "NSConditionLock.lock(before:)") {
    let lock = NSConditionLock(condition: 0)
    return { body in
      precondition(lock.lock(before: Date(timeIntervalSinceNow: 100)))
      body()
      lock.unlock()
    }
  },

  .handOver("nscondition", "NSCondition.wait, signal") {
    let condition = NSCondition()
    let given = Cell()
    return (
      {
        condition.withLock {
          given.store(1)
          condition.signal()
        }
      },
      {
        condition.withLock {
          while given.load() == 0 { condition.wait() }
        }
      }
    )
  },

  .handOver("nsconditionlock", "NSConditionLock.lock(whenCondition:before:)") {
    let lock = NSConditionLock(condition: 0)
    return (
      {
        precondition(lock.lock(whenCondition: 0, before: Date(timeIntervalSinceNow: 100)))
        lock.unlock(withCondition: 1)
      },
      {
        precondition(lock.lock(whenCondition: 1, before: Date(timeIntervalSinceNow: 100)))
        lock.unlock(withCondition: 2)
      }
    )
  },
]

let foundationPatterns: [Pattern] = [
  .submission("thread-start", "Thread.start") { work in
    let thread = Thread { work() }
    thread.start()
  },

  .submission("thread-detach", "Thread.detachNewThread") { work in
    Thread.detachNewThread { work() }
  },

  .completion("thread-semaphore", "Thread, DispatchSemaphore as join") { work in
    let semaphore = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      work()
      semaphore.signal()
    }
    return { semaphore.wait() }
  },

  .submission("runloop-perform", "RunLoop.perform") { work in
    let loop = LoopThread()
    loop.perform(work)
  },

  .submission("timer", "Timer on a RunLoop") { work in
    let loop = LoopThread()
    loop.perform {
      let timer = Timer(timeInterval: 0.001, repeats: false) { _ in work() }
      RunLoop.current.add(timer, forMode: .default)
    }
  },

  .submission("notification-queue", "NotificationCenter, OperationQueue") { work in
    let center = NotificationCenter()
    let name = Notification.Name("matrix")
    let queue = OperationQueue()
    _ = center.addObserver(forName: name, object: nil, queue: queue) { _ in
      // Posting waits for the queue.
      Thread.detachNewThread(work)
    }
    center.post(name: name, object: nil)
  },

  .handOver("notification-observer", "NotificationCenter.addObserver, post") {
    let center = NotificationCenter()
    let name = Notification.Name("matrix")
    let semaphore = DispatchSemaphore(value: 0)
    _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in semaphore.signal() }
    return ({ center.post(name: name, object: nil) }, { semaphore.wait() })
  },

  .handOver("pipe", "Pipe, FileHandle") {
    let pipe = Pipe()
    return (
      { pipe.fileHandleForWriting.write(Data([1])) },
      { _ = pipe.fileHandleForReading.readData(ofLength: 1) }
    )
  },

  .submission("readability-handler", "FileHandle.readabilityHandler") { work in
    let pipe = Pipe()
    pipe.fileHandleForReading.readabilityHandler = { handle in
      handle.readabilityHandler = nil
      work()
    }
    pipe.fileHandleForWriting.write(Data([1]))
    _ = Unmanaged.passRetained(pipe)
  },

  .submission("nscache", "NSCache.setObject, object(forKey:)") { work in
    let cache = NSCache<NSString, Cell>()
    // `@unchecked` would say the same: a cache may be used by several threads.
    nonisolated(unsafe) let shared = cache
    Thread.detachNewThread {
      while shared.object(forKey: "key") == nil { sched_yield() }
      work()
    }
    cache.setObject(Cell(), forKey: "key")
  },
]

/// A thread that runs its run loop for as long as the process lives.
private final class LoopThread: Sendable {
  // Stored before the semaphore is signalled, and read after it was waited for.
  nonisolated(unsafe) private var loop: RunLoop?
  private let ready = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      loop = .current
      // A loop without a timer or a source does not run.
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      ready.signal()
      // `perform` does not wake a loop that sleeps.
      while RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001)) {}
    }
    ready.wait()
  }

  func perform(_ work: @escaping @Sendable () -> Void) { loop?.perform(work) }
}
