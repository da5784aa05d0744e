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
    func underGate(leftFirst: Bool) {
      gate.withLock { _ in if leftFirst { self.leftFirst() } else { rightFirst() } }
    }
    func tryFromLeft() { left.withLock { _ in _ = right.withLockIfAvailable { $0 += 1 } } }
    func tryFromRight() { right.withLock { _ in _ = left.withLockIfAvailable { $0 += 1 } } }
    func again() { left.withLock { _ in left.withLock { $0 += 1 } } }
  }

  /// One thread after the other, each once. They are ordered by nothing that a checker may trust.
  private static func onThreads(_ first: @escaping () -> Void, _ second: @escaping () -> Void) {
    // `turn` keeps the two apart.
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
      wait(for: turn, 1)
      second()
      ends.leave()
    }
    ends.wait()
  }

  private static func wait(for number: borrowing Atomic<Int>, _ value: Int) {
    while number.load(ordering: .sequentiallyConsistent) != value { sched_yield() }
  }

  static func opposite() {
    let pair = Pair()
    onThreads({ pair.leftFirst() }, { pair.rightFirst() })
    print("done")
  }

  /// Each of these is found by the property that has the mutex, wherever that is.
  private class Base {
    let large = (0, 0, 0, 0, 0, 0, 0, 0)
    let inherited = Mutex(0)
  }
  private final class Derived: Base { let own = Mutex(0) }
  private final class Generic<Value> {
    let value: Value
    let lock = Mutex(0)
    init(_ value: Value) { self.value = value }
  }
  private struct Part: ~Copyable { let number = 7, lock = Mutex(0) }
  private final class Whole { let first = "first", part = Part(), last = Mutex(0) }

  static func named() {
    // Constants: what changes in them is in mutexes.
    nonisolated(unsafe) let (derived, whole) = (Derived(), Whole())
    nonisolated(unsafe) let generic = Generic("value")
    weak let seen = whole
    onThreads(
      { derived.inherited.withLock { mine in derived.own.withLock { $0 += mine } } },
      { derived.own.withLock { mine in derived.inherited.withLock { $0 += mine } } })
    onThreads(
      { generic.lock.withLock { mine in whole.last.withLock { $0 += mine } } },
      { whole.last.withLock { mine in generic.lock.withLock { $0 += mine } } })
    let local = Mutex(0)
    onThreads(
      { whole.part.lock.withLock { mine in local.withLock { $0 += mine } } },
      { local.withLock { mine in whole.part.lock.withLock { $0 += mine } } })
    print(seen == nil ? "gone" : "done")
  }

  /// A task that waits for ever with the lock taken by hand.
  static func heldAcrossAwait() {
    let forecast = Forecast()
    Task.detached { await forecast.refresh() }
    DispatchSemaphore(value: 0).wait()
  }

  /// Three threads take new mutexes at the same time, again and again. The gate keeps the two
  /// orders apart.
  static func contendedGate(rounds: Int) {
    for _ in 0..<rounds {
      let pair = Pair()
      atOnce(threads: 3) { thread in
        for turn in thread..<thread + 20 { pair.underGate(leftFirst: turn % 2 == 0) }
      }
    }
    print("done")
  }

  private static func atOnce(threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let coming = Atomic(threads)
    let ends = DispatchGroup()
    for thread in 0..<threads {
      ends.enter()
      Thread.detachNewThread {
        coming.subtract(1, ordering: .sequentiallyConsistent)
        wait(for: coming, 0)
        body(thread)
        ends.leave()
      }
    }
    ends.wait()
  }

  private final class Forecast: Sendable {
    private let lock = Mutex(())
    private let line = AsyncStream.makeStream(of: Void.self)

    func refresh() async {
      lock._unsafeLock()
      for await _ in line.stream {}
      lock._unsafeUnlock()
    }
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
    // `onThreads` keeps the two uses of the memory apart.
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
