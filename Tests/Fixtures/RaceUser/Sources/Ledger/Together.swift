import Foundation
import Synchronization

/// Runs both at the same time, each on a thread of its own, and waits for them.
public func together(
  _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
) {
  let arrived = Arrivals()
  let group = DispatchGroup()
  for body in [first, second] {
    group.enter()
    Thread {
      arrived.meet()
      body()
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
  let arrived = Arrivals()
  let group = DispatchGroup()
  for body in [first, second] {
    queue.async(group: group) {
      arrived.meet()
      body()
    }
  }
  group.wait()
}

/// Where two threads meet, by an atomic that orders nothing.
public final class Arrivals: Sendable {
  private let count = Atomic(0)

  public init() {}

  /// Waits for the other one, but not for ever: a pool may have no thread for it.
  public func meet() {
    count.add(1, ordering: .relaxed)
    for _ in 0..<Self.patience {
      if count.load(ordering: .relaxed) >= 2 { return }
      sched_yield()
    }
  }

  private static let patience = 10_000_000
}
