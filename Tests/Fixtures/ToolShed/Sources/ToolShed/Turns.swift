import Foundation
import Synchronization

/// Runs both on threads that exist at the same time, `second` after `first` is through.
///
/// Only an atomic flag holds `second` back, and only for a while. It is no promise of the program:
/// on another day the two may run at once, and a checker has to take them as concurrent.
public func oneAfterTheOther(
  _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
) {
  let turn = Turn()
  let ended = DispatchGroup()
  for _ in 0..<2 { ended.enter() }
  Thread.detachNewThread {
    first()
    turn.pass()
    ended.leave()
  }
  Thread.detachNewThread {
    turn.wait()
    second()
    ended.leave()
  }
  ended.wait()
}

/// The same with blocks on the workers of a concurrent queue.
public func oneAfterTheOther(
  on queue: DispatchQueue, _ first: @escaping @Sendable () -> Void,
  _ second: @escaping @Sendable () -> Void
) {
  let turn = Turn()
  let ended = DispatchGroup()
  queue.async(group: ended) {
    first()
    turn.pass()
  }
  queue.async(group: ended) {
    turn.wait()
    second()
  }
  ended.wait()
}

private final class Turn: Sendable {
  private let isPassed = Atomic(false)

  func pass() { isPassed.store(true, ordering: .sequentiallyConsistent) }

  func wait() {
    let end = Date(timeIntervalSinceNow: 0.1)
    while !isPassed.load(ordering: .sequentiallyConsistent), Date() < end {
      Thread.sleep(forTimeInterval: 0.000_5)
    }
  }
}
