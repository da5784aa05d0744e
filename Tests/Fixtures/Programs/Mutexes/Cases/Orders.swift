import Foundation
import Synchronization

/// Mutexes that are nested; none of them is ever waited for.
enum Orders {
  private final class Pair: Sendable {
    let gate = Mutex(())
    let left = Mutex(0)
    let right = Mutex(0)

    func leftFirst() { left.withLock { mine in right.withLock { $0 += mine } } }
    func rightFirst() { right.withLock { mine in left.withLock { $0 += mine } } }
    func tryFromLeft() { left.withLock { _ in _ = right.withLockIfAvailable { $0 += 1 } } }
    func tryFromRight() { right.withLock { _ in _ = left.withLockIfAvailable { $0 += 1 } } }
    func again() { left.withLock { _ in left.withLock { $0 += 1 } } }
  }

  /// One thread after the other, each once. They are ordered by nothing that a checker may trust.
  private static func onThreads(_ first: @escaping () -> Void, _ second: @escaping () -> Void) {
    nonisolated(unsafe) let (first, second) = (first, second)
    let turn = Atomic(0)
    let ends = DispatchGroup()
    ends.enter()
    ends.enter()
    Thread.detachNewThread {
      first()
      turn.store(1, ordering: .sequentiallyConsistent)
      ends.leave()
    }
    Thread.detachNewThread {
      while turn.load(ordering: .sequentiallyConsistent) == 0 { sched_yield() }
      second()
      ends.leave()
    }
    ends.wait()
  }

  static func opposite() {
    let pair = Pair()
    onThreads({ pair.leftFirst() }, { pair.rightFirst() })
    print("done")
  }

  static func relock() { Pair().again() }

  private final class Shelf: Sendable {
    let lock = Mutex(0)
    let queue = DispatchQueue(label: "shelf")

    func lockFirst() { lock.withLock { books in queue.sync { books += 1 } } }
    func queueFirst() { queue.sync { lock.withLock { $0 += 1 } } }
  }

  /// A mutex and a queue, in both orders.
  static func withQueue() {
    let shelf = Shelf()
    onThreads({ shelf.lockFirst() }, { shelf.queueFirst() })
    print("done")
  }

  /// A gate, attempts, and a new mutex in the place of an old one.
  static func silent() {
    let (gated, tried) = (Pair(), Pair())
    onThreads(
      { gated.gate.withLock { _ in gated.leftFirst() } },
      { gated.gate.withLock { _ in gated.rightFirst() } })
    onThreads({ tried.tryFromLeft() }, { tried.tryFromRight() })
    let memory = UnsafeMutablePointer<Mutex<Int>>.allocate(capacity: 1)
    nonisolated(unsafe) let place = memory
    onThreads(
      {
        place.initialize(to: Mutex(0))
        place.pointee.withLock { mine in tried.left.withLock { $0 += mine } }
        place.deinitialize(count: 1)
      },
      {
        place.initialize(to: Mutex(0))
        tried.left.withLock { mine in place.pointee.withLock { $0 += mine } }
        place.deinitialize(count: 1)
      })
    memory.deallocate()
    print("done")
  }
}
