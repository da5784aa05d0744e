import Dispatch
import Foundation

/// Races between threads that meet only inside the gate: each goes through its slow paths between
/// the two accesses. A gate that synchronises in sight of Thread Sanitizer would hide each of them.
let gateRaces: [Program] = [
  .racy("nested-pairs") {
    let cell = Cell()
    let one = LockPair()
    let other = LockPair()
    meet(
      {
        cell.store(1)
        one.nest()
      },
      {
        other.nest()
        cell.store(2)
      })
  },

  .racy("opposite-pairs") {
    let cell = Cell()
    let one = LockPair()
    let other = LockPair()
    meet(
      {
        cell.store(1)
        one.nest()
        one.nestOpposite()
      },
      {
        other.nest()
        other.nestOpposite()
        cell.store(2)
      })
  },

  .racy("locks-made-and-dropped") {
    let cell = Cell()
    meet(
      {
        cell.store(1)
        makeAndDropLocks(rounds: 3)
      },
      {
        makeAndDropLocks(rounds: 3)
        cell.store(2)
      })
  },

  // Thread Sanitizer keeps so many events of each thread, and reports no race whose first access
  // it has forgotten: what the gate does on a user's thread must not use that memory up.
  .racy("history") {
    let cell = Cell()
    meet(
      {
        cell.store(1)
        makeAndDropLocks(rounds: 50)
      },
      { cell.store(2) })
  },

  .racy("async-submissions") {
    let cell = Cell()
    let one = DispatchQueue(label: "one")
    let other = DispatchQueue(label: "other")
    warmUp()
    meet(
      {
        cell.store(1)
        one.async {}
      },
      {
        other.async {}
        cell.store(2)
      })
  },

  .racy("lock-around-queue") {
    let cell = Cell()
    let locks = [NSLock(), NSLock()]
    let queues = [DispatchQueue(label: "one"), DispatchQueue(label: "other")]
    meet(
      {
        cell.store(1)
        locks[0].withLock { queues[0].sync {} }
      },
      {
        locks[1].withLock { queues[1].sync {} }
        cell.store(2)
      })
  },

  .racy("semaphores-as-locks") {
    let cell = Cell()
    let one = SemaphorePair()
    let other = SemaphorePair()
    meet(
      {
        cell.store(1)
        one.nest()
      },
      {
        other.nest()
        cell.store(2)
      })
  },

  .racy("groups-and-items") {
    let cell = Cell()
    meet(
      {
        cell.store(1)
        useGroupAndItem()
      },
      {
        useGroupAndItem()
        cell.store(2)
      })
  },

  .racy("sleeps") {
    let cell = Cell()
    meet(
      {
        cell.store(1)
        usleep(1)
      },
      {
        usleep(1)
        cell.store(2)
      })
  },
]

/// Two locks that are used by one thread only.
///
/// No array and no other generic type: the Swift runtime looks their metadata up under locks of its
/// own, which Thread Sanitizer sees, and which would order the two sides.
private struct LockPair {
  let first = NSLock(), second = NSLock()

  func nest() {
    first.lock()
    second.lock()
    second.unlock()
    first.unlock()
  }

  func nestOpposite() {
    second.lock()
    first.lock()
    first.unlock()
    second.unlock()
  }
}

/// Two semaphores used like locks, by one thread only.
private struct SemaphorePair {
  let first = DispatchSemaphore(value: 1), second = DispatchSemaphore(value: 1)

  func nest() {
    first.wait()
    second.wait()
    second.signal()
    first.signal()
  }
}

private func makeAndDropLocks(rounds: Int) {
  var round = 0
  while round < rounds {
    LockPair().nest()
    round += 1
  }
}

/// Does once on the main thread what both sides will do: what the first call makes lazily is stored
/// with a release and found with an acquire, which would order the two sides.
private func warmUp() {
  let queue = DispatchQueue(label: "warm")
  queue.async {}
  queue.sync {}
}

/// Objects of its own, on this thread only: no block runs on a worker that others might share.
private func useGroupAndItem() {
  let group = DispatchGroup()
  group.enter()
  group.leave()
  group.wait()
  let item = DispatchWorkItem {}
  item.perform()
  item.wait()
}
