import Foundation
import Synchronization

/// Comes first because it is quick: nothing promises that.
final class Flag: Sendable {
  private let isUp = Atomic(false)

  func raise() { isUp.store(true, ordering: .sequentiallyConsistent) }

  func wait() {
    while !isUp.load(ordering: .sequentiallyConsistent) { sched_yield() }
  }

  /// Goes on after a while in any case.
  func waitAWhile() {
    let end = ContinuousClock.now.advanced(by: .milliseconds(100))
    while !isUp.load(ordering: .sequentiallyConsistent), .now < end { sched_yield() }
  }
}

/// Two threads, the second of which comes after the first as a rule.
func inTurns(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) {
  let done = Flag()
  onThreads {
    first()
    done.raise()
  } _: {
    done.waitAWhile()
    second()
  }
}

func onThreads(_ jobs: (@Sendable () -> Void)...) {
  let finished = DispatchGroup()
  for job in jobs {
    finished.enter()
    Thread.detachNewThread {
      job()
      finished.leave()
    }
  }
  finished.wait()
}

extension Case {
  /// Cycles that can become deadlocks.
  static let possible: [Case] = [
    opposite("mutex", Pair<PlainMutex>()),
    opposite("read-write-lock", Pair<WriteLock>()),
    opposite("spin-lock", Pair<SpinLock>()),
    opposite("posix-semaphore", Pair<PosixSemaphore>()),
    opposite("semaphore", Pair<BinarySemaphore>()),
    Case("two-functions") {
      let pair = SplitPair()
      inTurns({ pair.forward() }, { pair.backward() })
    },
    Case("recursion") {
      let pair = SplitPair()
      inTurns({ pair.forward() }, { pair.backward(depth: 3) })
    },
    Case("late-in-a-loop") {
      // The cycle's own pair is one of many that take the same way.
      let pairs = (0..<4).map { _ in Pair<PlainMutex>() }
      inTurns({ for pair in pairs { pair.forward() } }, { pairs[3].backward() })
    },
    Case("synced-queue") {
      let (lock, queue) = (NSLock(), DispatchQueue(label: "drawer"))
      inTurns({ lock.withLock { queue.sync {} } }, { queue.sync { lock.withLock {} } })
    },
    Case("block-of-queue") {
      let (lock, queue, done) = (NSLock(), DispatchQueue(label: "drawer"), Flag())
      queue.async {
        lock.withLock {}
        done.raise()
      }
      done.waitAWhile()
      lock.withLock { queue.sync {} }
    },
    Case("target-queue") {
      let lock = NSLock()
      let target = DispatchQueue(label: "desk")
      let queue = DispatchQueue(label: "drawer", target: target)
      inTurns({ lock.withLock { queue.sync {} } }, { target.sync { lock.withLock {} } })
    },
  ]

  private static func opposite<Lock>(
    _ name: String, _ pair: @autoclosure @escaping @Sendable () -> Pair<Lock>
  ) -> Case {
    Case(name) {
      let pair = pair()
      inTurns({ pair.forward() }, { pair.backward() })
    }
  }
}
