import Foundation
import Synchronization

/// Makes two threads meet in real time without ordering them for Thread Sanitizer.
///
/// A relaxed store and a relaxed load make no happens-before edge. So what one thread did before
/// `raise()` is over when the other returns from `wait()`, and still races with what that one does
/// next: the order is the same in every run, and so is the report.
final class Flag: Sendable {
  private let raised = Atomic(0)

  func raise() {
    raised.add(1, ordering: .relaxed)
  }

  /// Spins until `raise()` was called `count` times.
  func wait(for count: Int = 1) {
    while raised.load(ordering: .relaxed) < count { sched_yield() }
  }

  /// Spins until `raise()` was called, but no longer than that.
  func wait(seconds: Double) {
    let limit = secondsNow() + seconds
    while !isRaised && secondsNow() < limit { sched_yield() }
  }

  var isRaised: Bool { raised.load(ordering: .relaxed) > 0 }
}

/// A clock that only goes forward.
func secondsNow() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// The memory that the threads meet on: one plain access per call, and nothing else.
///
/// `@unchecked`: whether something protects it is what each program is about.
final class Cell: @unchecked Sendable {
  private let storage: UnsafeMutablePointer<Int>

  init() {
    storage = .allocate(capacity: 1)
    storage.initialize(to: 0)
  }

  func store(_ value: Int) { storage.pointee = value }
  func load() -> Int { storage.pointee }

  /// Loads in a way that an optimiser cannot leave out.
  func read() { precondition(load() != .min) }
}

/// Runs two sides on threads of their own, `second` after `first` in real time, and waits for both
/// without ordering anything. What a side ends with cannot order anything either.
func meet(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) {
  let firstDone = Flag()
  let secondDone = Flag()
  Thread.detachNewThread {
    first()
    firstDone.raise()
  }
  Thread.detachNewThread {
    firstDone.wait()
    second()
    secondDone.raise()
  }
  secondDone.wait()
}
