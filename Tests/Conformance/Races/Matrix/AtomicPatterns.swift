import Foundation
import Synchronization

let atomicPatterns: [Pattern] = [
  .handOver("atomic-acquire-release", "Atomic.store(.releasing), load(.acquiring)") {
    let flag = AtomicBox()
    return (
      { flag.value.store(1, ordering: .releasing) },
      { while flag.value.load(ordering: .acquiring) == 0 { sched_yield() } }
    )
  },

  .handOver("atomic-sequentially-consistent", "Atomic, sequentiallyConsistent") {
    let flag = AtomicBox()
    return (
      { flag.value.add(1, ordering: .sequentiallyConsistent) },
      { while flag.value.load(ordering: .sequentiallyConsistent) == 0 { sched_yield() } }
    )
  },

  // A fence is invisible to Thread Sanitizer: its calls say nothing of which memory it orders.
  .handOver("atomic-fence", "atomicMemoryFence") {
    let flag = AtomicBox()
    return (
      {
        atomicMemoryFence(ordering: .releasing)
        flag.value.store(1, ordering: .relaxed)
      },
      {
        while flag.value.load(ordering: .relaxed) == 0 { sched_yield() }
        atomicMemoryFence(ordering: .acquiring)
      }
    )
  }.needing(.more),

  .exclusive("atomic-spin-lock", "Atomic.compareExchange") {
    let lock = AtomicBox()
    return { body in
      while !lock.value.weakCompareExchange(
        expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
      ).exchanged { sched_yield() }
      body()
      lock.value.store(0, ordering: .releasing)
    }
  },

  .threads("atomic-lazy-reference", "AtomicLazyReference") { trial in
    let box = LazyBox()
    for _ in 0..<2 {
      Thread.detachNewThread {
        if trial.isCorrect {
          if box.value.load() == nil {
            let made = Cell()
            made.store(1)
            _ = box.value.storeIfNil(made)
          }
          box.value.load()?.read()
        } else {
          trial.write()
          _ = box.value.storeIfNil(Cell())
        }
        trial.end()
      }
    }
    trial.wait(for: 2)
  },

  .exclusive("mutex", "Mutex.withLock", times: 20) {
    let mutex = MutexBox()
    return { body in mutex.value.withLock { _ in body() } }
  }.needing(.gate),

  .exclusive("mutex-try", "Mutex.withLockIfAvailable", times: 10) {
    let mutex = MutexBox()
    return { body in
      while mutex.value.withLockIfAvailable({ _ in body() }) == nil { sched_yield() }
    }
  }.needing(.gate),

  .threads("mutex-and-try", "Mutex.withLock against withLockIfAvailable", Variant.allCases) {
    trial in
    let mutex = MutexBox()
    let repeats = trial.isCorrect ? 10 : 1
    trial.onTwoThreads { side, isProtected in
      for _ in 0..<repeats {
        switch (isProtected, side) {
        case (false, _): trial.write()
        case (true, 0): mutex.value.withLock { _ in trial.write() }
        default:
          while mutex.value.withLockIfAvailable({ _ in trial.write() }) == nil { sched_yield() }
        }
      }
      trial.end()
    }
    trial.wait(for: 2)
  }.needing(.gate),

  .handOver("mutex-poll", "Mutex.withLock around a flag") {
    let mutex = MutexBox()
    return (
      { mutex.value.withLock { $0 = 1 } },
      { while mutex.value.withLock({ $0 }) == 0 { sched_yield() } }
    )
  },
]

final class AtomicBox: Sendable {
  let value = Atomic(0)
}

final class MutexBox: Sendable {
  let value = Mutex(0)
}

private final class LazyBox: Sendable {
  let value = AtomicLazyReference<Cell>()
}
