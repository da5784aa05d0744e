import Foundation
import Synchronization

/// How much of a pattern's protection is there.
enum Variant: String, CaseIterable, Sendable {
  /// All of it: Thread Sanitizer has to be silent.
  case correct
  /// One side has none, or it comes too early.
  case half
  /// Neither side has any.
  case removed
}

/// One trial of a pattern: the memory that its two sides share, and a meter that tells whether
/// they used it at the same time.
///
/// Everything here is relaxed, so that it orders nothing for Thread Sanitizer. A trial lives as
/// long as the process, because its end would be one more access that nothing orders. `@unchecked`:
/// whether something protects the memory is what the pattern is about.
final class Trial: @unchecked Sendable {
  let variant: Variant
  private let memory: UnsafeMutablePointer<Int>
  private let readers = Atomic(0)
  private let writers = Atomic(0)
  private let arrived = Atomic(0)
  private let firstThread = Atomic<UInt>(0)
  private let isStored = Atomic(false)
  private let overlaps = Atomic(0)
  private let ends = Flag()

  init(_ variant: Variant) {
    self.variant = variant
    memory = .allocate(capacity: 1)
    memory.initialize(to: 0)
    _ = Unmanaged.passRetained(self)
  }

  var isCorrect: Bool { variant == .correct }

  /// Whether two threads were inside their accesses at the same time.
  var hasOverlapped: Bool { overlaps.load(ordering: .relaxed) > 0 }

  func write() {
    if isCorrect {
      writers.add(1, ordering: .relaxed)
      dwell(alone: true)
      memory.pointee += 1
      writers.subtract(1, ordering: .relaxed)
    } else {
      let isFirst = meet()
      memory.pointee += 1
      if isFirst { isStored.store(true, ordering: .relaxed) }
    }
  }

  func read() {
    if isCorrect {
      readers.add(1, ordering: .relaxed)
      dwell(alone: false)
      precondition(memory.pointee != .min)
      readers.subtract(1, ordering: .relaxed)
    } else {
      let isFirst = meet()
      precondition(memory.pointee != .min)
      if isFirst { isStored.store(true, ordering: .relaxed) }
    }
  }

  /// Half protected is the one side, and not the other.
  func isProtected(side: Int) -> Bool { isCorrect || (variant == .half && side == 0) }

  /// Runs each side on a thread of its own.
  func onTwoThreads(_ body: @escaping @Sendable (_ side: Int, _ isProtected: Bool) -> Void) {
    for side in 0..<2 {
      let isProtected = isProtected(side: side)
      Thread.detachNewThread { body(side, isProtected) }
    }
  }

  /// Tells that one side is over.
  func end() { ends.raise() }
  /// Waits, without ordering anything, until so many are.
  func wait(for count: Int = 1) { ends.wait(for: count) }

  /// Stays long enough for another thread to wake up and come in, if nothing keeps it out.
  private func dwell(alone: Bool) {
    let limit = secondsNow() + 0.0002
    while secondsNow() < limit {
      let others = writers.load(ordering: .relaxed) - (alone ? 1 : 0)
      let shared = alone ? readers.load(ordering: .relaxed) : 0
      if others + shared > 0 { overlaps.add(1, ordering: .relaxed) }
      // A thread that spins on may keep the other from ever being run.
      usleep(50)
    }
  }

  /// Holds the first up until the second has come, and the second until the first has made its
  /// access: exactly one order, which TSan cannot miss, and nothing but protection can forbid it.
  /// The second may never come, so there is an end to waiting. Returns whether this is the first.
  private func meet() -> Bool {
    let place = arrived.add(1, ordering: .relaxed).oldValue
    if place == 0 {
      firstThread.store(UInt(pthread_self()), ordering: .relaxed)
      spin { arrived.load(ordering: .relaxed) > 1 }
    } else if place == 1 {
      let own = UInt(pthread_self())
      spin { firstThread.load(ordering: .relaxed) != 0 && isStored.load(ordering: .relaxed) }
      let met = isStored.load(ordering: .relaxed)
      if met && firstThread.load(ordering: .relaxed) != own {
        overlaps.add(1, ordering: .relaxed)
      }
    }
    return place == 0
  }

  private func spin(until condition: () -> Bool) {
    let limit = secondsNow() + 10
    while !condition() && secondsNow() < limit { sched_yield() }
  }
}
