import Dispatch
import Foundation

/// Correct programs in which a lock, a condition or a join is all that orders the accesses.
let lockHandOvers: [Program] = [
  .correct("lock") {
    let cell = Cell()
    let lock = NSLock()
    meet({ lock.withLock { cell.store(1) } }, { lock.withLock { cell.store(2) } })
  },

  .correct("recursive-lock") {
    let cell = Cell()
    let lock = NSRecursiveLock()
    meet(
      { lock.withLock { lock.withLock { cell.store(1) } } },
      { lock.withLock { lock.withLock { cell.store(2) } } })
  },

  .correct("successful-try") {
    let cell = Cell()
    let lock = NSLock()
    meet(
      { lock.withLock { cell.store(1) } },
      {
        guard lock.try() else { return }
        cell.store(2)
        lock.unlock()
      })
  },

  .correct("write-then-read-lock") {
    let cell = Cell()
    let lock = ReadWriteLock()
    meet(
      {
        lock.write()
        cell.store(1)
        lock.unlock()
      },
      {
        lock.read()
        cell.read()
        lock.unlock()
      })
  },

  .correct("read-then-write-lock") {
    let cell = Cell()
    let lock = ReadWriteLock()
    meet(
      {
        lock.read()
        cell.read()
        lock.unlock()
      },
      {
        lock.write()
        cell.store(2)
        lock.unlock()
      })
  },

  .correct("condition") {
    let cell = Cell()
    let ready = Cell()
    let condition = NSCondition()
    let done = Flag()
    Thread.detachNewThread {
      condition.lock()
      while ready.load() == 0 { condition.wait() }
      cell.store(2)
      condition.unlock()
      done.raise()
    }
    cell.store(1)
    condition.withLock {
      ready.store(1)
      condition.signal()
    }
    done.wait()
  },

  .correct("spin-lock") {
    let cell = Cell()
    let lock = SpinLock()
    meet({ lock.withLock { cell.store(1) } }, { lock.withLock { cell.store(2) } })
  },

  .correct("posix-semaphore") {
    let cell = Cell()
    let semaphore = PosixSemaphore()
    meet(
      {
        cell.store(1)
        semaphore.post()
      },
      {
        semaphore.wait()
        cell.store(2)
      })
  },

  .correct("posix-barrier") {
    let cell = Cell()
    let barrier = PosixBarrier(count: 2)
    let done = Flag()
    Thread.detachNewThread {
      cell.store(1)
      barrier.wait()
      done.raise()
    }
    barrier.wait()
    cell.store(2)
    done.wait()
  },

  .correct("create-and-join") {
    let cell = Cell()
    cell.store(1)
    let thread = PosixThread { cell.store(2) }
    thread.join()
    cell.store(3)
  },
]
