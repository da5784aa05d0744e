import Dispatch
import Foundation

/// Races that need no trick: nothing, or the wrong thing, protects the cell.
let unguardedRaces: [Program] = [
  .racy("no-lock") {
    let cell = Cell()
    meet({ cell.store(1) }, { cell.store(2) })
  },

  .racy("different-locks") {
    let cell = Cell()
    let one = NSLock()
    let other = NSLock()
    meet({ one.withLock { cell.store(1) } }, { other.withLock { cell.store(2) } })
  },

  .racy("read-locks") {
    let cell = Cell()
    let lock = ReadWriteLock()
    meet(
      {
        lock.read()
        cell.store(1)
        lock.unlock()
      },
      {
        lock.read()
        cell.store(2)
        lock.unlock()
      })
  },

  .racy("failed-try") {
    let cell = Cell()
    let lock = NSLock()
    let stored = Flag()
    let tried = Flag()
    Thread.detachNewThread {
      lock.lock()
      cell.store(1)
      stored.raise()
      tried.wait()
      lock.unlock()
      tried.raise()
    }
    stored.wait()
    _ = lock.try()
    cell.store(2)
    tried.raise()
    tried.wait(for: 2)
  },

  .racy("different-queues") {
    let cell = Cell()
    let one = DispatchQueue(label: "one")
    let other = DispatchQueue(label: "other")
    meet({ one.sync { cell.store(1) } }, { other.sync { cell.store(2) } })
  },

  .racy("concurrent-queue") {
    let cell = Cell()
    let started = Flag()
    let stored = Flag()
    let done = Flag()
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    queue.async {
      started.wait()
      cell.store(1)
      stored.raise()
    }
    queue.async {
      started.raise()
      stored.wait()
      cell.store(2)
      done.raise()
    }
    done.wait()
  },

  .racy("concurrent-perform") {
    let cell = Cell()
    let started = Flag()
    let stored = Flag()
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      started.raise()
      started.wait(for: 2)
      if index == 0 {
        cell.store(1)
        stored.raise()
      } else {
        stored.wait()
        cell.store(2)
      }
    }
  },

  .racy("bypassed-barrier") {
    let cell = Cell()
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    meet({ queue.sync(flags: .barrier) { cell.store(1) } }, { cell.read() })
  },

  .racyTasks("two-tasks") {
    let cell = Cell()
    let started = Flag()
    let stored = Flag()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        started.wait()
        cell.store(1)
        stored.raise()
      }
      group.addTask {
        started.raise()
        stored.wait()
        cell.store(2)
      }
    }
  },
]
