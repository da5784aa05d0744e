import Dispatch
import Foundation

/// Races that come just after, or just before, what would have ordered them.
let lateRaces: [Program] = [
  .racy("after-unlock") {
    let cell = Cell()
    let lock = NSLock()
    meet(
      {
        lock.withLock {}
        cell.store(1)
      },
      {
        lock.withLock {}
        cell.store(2)
      })
  },

  .racy("after-signal") {
    let cell = Cell()
    let semaphore = DispatchSemaphore(value: 0)
    meet(
      {
        semaphore.signal()
        cell.store(1)
      },
      {
        semaphore.wait()
        cell.store(2)
      })
  },

  .racy("after-leave") {
    let cell = Cell()
    let group = DispatchGroup()
    group.enter()
    meet(
      {
        group.leave()
        cell.store(1)
      },
      {
        group.wait()
        cell.store(2)
      })
  },

  .racy("after-broadcast") {
    let cell = Cell()
    let condition = NSCondition()
    meet(
      {
        condition.withLock { condition.broadcast() }
        cell.store(1)
      },
      {
        condition.withLock { condition.signal() }
        cell.store(2)
      })
  },

  .racy("after-create") {
    let cell = Cell()
    let stored = Flag()
    let done = Flag()
    Thread.detachNewThread {
      stored.wait()
      cell.store(2)
      done.raise()
    }
    cell.store(1)
    stored.raise()
    done.wait()
  },

  .racy("after-async") {
    let cell = Cell()
    let stored = Flag()
    let done = Flag()
    DispatchQueue(label: "serial").async {
      stored.wait()
      cell.store(2)
      done.raise()
    }
    cell.store(1)
    stored.raise()
    done.wait()
  },

  .racy("timed-out-wait") {
    let cell = Cell()
    let group = DispatchGroup()
    let stored = Flag()
    let queue = DispatchQueue(label: "serial")
    group.enter()
    queue.async {
      cell.store(1)
      stored.raise()
    }
    stored.wait()
    _ = group.wait(timeout: .now())
    cell.store(2)
    group.leave()
  },
]
