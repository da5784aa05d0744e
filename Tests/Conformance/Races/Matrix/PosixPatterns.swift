import Foundation

/// Memory of its own for a C object, so that its address never moves; it lives as long as the
/// process. `@unchecked`: the pointer never changes, and what it points at is made for threads.
struct Fixed<Value>: @unchecked Sendable {
  let at: UnsafeMutablePointer<Value>
  init(_ prepare: (UnsafeMutablePointer<Value>) -> Void) {
    at = .allocate(capacity: 1)
    prepare(at)
  }
}

let posixPatterns: [Pattern] = [
  .exclusive("pthread-mutex", "pthread_mutex_lock") {
    let lock = Fixed<pthread_mutex_t> { pthread_mutex_init($0, nil) }
    return { body in
      pthread_mutex_lock(lock.at)
      body()
      pthread_mutex_unlock(lock.at)
    }
  },

  .exclusive("pthread-mutex-try", "pthread_mutex_trylock") {
    let lock = Fixed<pthread_mutex_t> { pthread_mutex_init($0, nil) }
    return { body in
      while pthread_mutex_trylock(lock.at) != 0 { sched_yield() }
      body()
      pthread_mutex_unlock(lock.at)
    }
  },

  .exclusive("pthread-rwlock", "pthread_rwlock_wrlock") {
    let lock = ReadWriteLock()
    return { body in
      lock.write()
      body()
      lock.unlock()
    }
  },

  .threads("pthread-rwlock-readers", "pthread_rwlock_rdlock, _wrlock", Variant.allCases) { trial in
    let lock = ReadWriteLock()
    trial.onTwoThreads { side, isProtected in
      if isProtected { side == 0 ? lock.write() : lock.read() }
      side == 0 ? trial.write() : trial.read()
      if isProtected { lock.unlock() }
      trial.end()
    }
    trial.wait(for: 2)
  },

  .exclusive("pthread-spin", "pthread_spin_lock") {
    let lock = SpinLock()
    return { body in lock.withLock(body) }
  },

  .exclusive("posix-semaphore-as-lock", "sem_wait, sem_post") {
    let semaphore = PosixSemaphore()
    semaphore.post()
    return { body in
      semaphore.wait()
      body()
      semaphore.post()
    }
  },

  .handOver("posix-semaphore", "sem_post, sem_wait") {
    let semaphore = PosixSemaphore()
    return ({ semaphore.post() }, { semaphore.wait() })
  },

  .handOver("pthread-condition", "pthread_cond_wait, pthread_cond_signal") {
    let lock = Fixed<pthread_mutex_t> { pthread_mutex_init($0, nil) }
    let condition = Fixed<pthread_cond_t> { pthread_cond_init($0, nil) }
    let given = Cell()
    return (
      {
        pthread_mutex_lock(lock.at)
        given.store(1)
        pthread_cond_signal(condition.at)
        pthread_mutex_unlock(lock.at)
      },
      {
        pthread_mutex_lock(lock.at)
        while given.load() == 0 { pthread_cond_wait(condition.at, lock.at) }
        pthread_mutex_unlock(lock.at)
      }
    )
  },

  .handOver("pthread-barrier", "pthread_barrier_wait") {
    let barrier = PosixBarrier(count: 2)
    return ({ barrier.wait() }, { barrier.wait() })
  },

  .submission("pthread-create", "pthread_create") { work in
    let thread = PosixThread(work)
    thread.detach()
  },

  .completion("pthread-join", "pthread_join") { work in
    let thread = PosixThread(work)
    return { thread.join() }
  },

  .completion("pthread-key-destructor", "pthread_key_create, pthread_join") { work in
    let box = Unmanaged.passRetained(Work(work)).toOpaque()
    // The pointer is only passed on; the destructor takes its object over.
    nonisolated(unsafe) let argument = box
    let thread = PosixThread { pthread_setspecific(workAtThreadEnd, argument) }
    return { thread.join() }
  },

  .threads("pthread-once", "pthread_once") { trial in
    // Every process runs it once: the trials after the first find it done.
    for _ in 0..<2 {
      Thread.detachNewThread {
        if trial.isCorrect {
          pthread_once(posixOnce.at) { onceWritten.store(1) }
          onceWritten.read()
        } else {
          trial.write()
          pthread_once(posixOnce.at) { onceWritten.store(1) }
        }
        trial.end()
      }
    }
    trial.wait(for: 2)
  },
]

private final class Work: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private let workAtThreadEnd: pthread_key_t = {
  var key = pthread_key_t()
  pthread_key_create(&key) { argument in
    guard let argument else { return }
    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
  }
  return key
}()

private let posixOnce = Fixed<pthread_once_t> { $0.initialize(to: 0) }
private let onceWritten = Cell()
