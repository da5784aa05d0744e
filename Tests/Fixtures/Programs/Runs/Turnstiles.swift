import Dispatch
import Foundation

/// Somebody waits at it in a task; the task's cancellation handler takes the lock under which the
/// task is resumed.
private final class Turnstile: Sendable {
  private let lock = NSLock()
  let visits = Arrivals()
  // Guarded by the lock.
  private nonisolated(unsafe) var waiter: CheckedContinuation<Void, Never>?

  /// Returns after it was admitted once and cancelled once.
  func pass() async {
    await withTaskCancellationHandler {
      await park()
      await park()
    } onCancel: {
      admit()
    }
  }

  func park() async {
    await withCheckedContinuation { continuation in
      lock.withLock { waiter = continuation }
      visits.announce()
    }
  }

  @inline(never) func admit() {
    lock.lock()
    waiter?.resume()
    waiter = nil
    lock.unlock()
  }
}

extension Case {
  static let turnstiles: [Case] = [
    Case("cancelled") { cancel(after: 0) },
    Case("cancelled-in-a-crowd") { cancel(after: 2_000) },
  ]

  /// The block's lock leads into the task's status lock long before that one leads back, and in
  /// between to that of each of a crowd, all of which stay.
  private static func cancel(after crowd: Int) {
    let (turnstile, thumbnails, group) = (Turnstile(), DispatchQueue.thumbnails(), DispatchGroup())
    let visitor = Task.detached(priority: .utility) { await turnstile.pass() }
    turnstile.visits.wait(for: 1)
    thumbnails.async(group: group) { turnstile.admit() }
    turnstile.visits.wait(for: 2)
    let others = (0..<crowd).map { _ in Turnstile() }
    let tasks = others.map { other in
      Task.detached {
        await other.park()
        await other.park()
      }
    }
    for other in others {
      other.visits.wait(for: 1)
      other.admit()
    }
    visitor.cancel()
    for other in others {
      other.visits.wait(for: 2)
      other.admit()
    }
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      await visitor.value
      for task in tasks { await task.value }
      ended.signal()
    }
    ended.wait()
    group.wait()
  }
}
