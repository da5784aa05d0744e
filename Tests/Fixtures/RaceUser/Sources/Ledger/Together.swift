import Foundation
import Synchronization

/// Runs each on a thread of its own, one while the other one waits, and waits for both.
public func together(
  _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
) {
  let turns = Turns()
  let group = DispatchGroup()
  for body in [first, second] {
    group.enter()
    Thread {
      turns.take(body)
      group.leave()
    }.start()
  }
  group.wait()
}

/// The same on the threads of a concurrent queue.
public func together(
  on queue: DispatchQueue, _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void
) {
  let turns = Turns()
  let group = DispatchGroup()
  for body in [first, second] {
    queue.async(group: group) { turns.take(body) }
  }
  group.wait()
}

/// Where two threads meet and go on one after the other, by atomics that order nothing: of two
/// accesses in the same nanoseconds Thread Sanitizer misses both.
public final class Turns: Sendable {
  private let arrived = Atomic(0)
  private let done = Atomic(0)

  public init() {}

  /// Waits for the other thread and for its own turn, but not for ever: a pool may have no thread
  /// for the other one.
  public func take(_ body: () -> Void) {
    let number = arrived.add(1, ordering: .relaxed).oldValue
    wait { arrived.load(ordering: .relaxed) >= 2 }
    wait { done.load(ordering: .relaxed) >= number }
    body()
    done.add(1, ordering: .relaxed)
  }

  /// Asks seldom: each question goes into the history that Thread Sanitizer keeps of a thread, and
  /// of an access that has fallen out of it no race is reported.
  private func wait(until isTrue: () -> Bool) {
    for _ in 0..<Self.patience {
      if isTrue() { return }
      poll(nil, 0, 1)
    }
  }

  private static let patience = 30_000
}
