import Foundation
import Pantry
import Testing

/// Runs one of its tasks at a time, in the order in which they come.
@globalActor private actor Entrance { static let shared = Entrance() }

/// Lets one task pass.
@Entrance private final class Turnstile {
  private nonisolated let lock = NSLock()
  /// `lock` protects it.
  private nonisolated(unsafe) var visitor: CheckedContinuation<Void, Never>?
  /// `lock` protects it.
  private nonisolated(unsafe) var isOver = false

  /// A turnstile at which a task is suspended: both run on the actor.
  static func visited() async -> (turnstile: Turnstile, visitor: Task<Void, Never>) {
    let turnstile = Turnstile()
    let visitor = Task { await turnstile.pass() }
    await Task.yield()
    return (turnstile, visitor)
  }

  private func pass() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { park($0) }
    } onCancel: {
      end()
    }
  }

  private func park(_ continuation: CheckedContinuation<Void, Never>) {
    lock.withLock {
      if isOver { continuation.resume() } else { visitor = continuation }
    }
  }

  nonisolated func admit() { end() }

  /// Resumes the visitor under the lock.
  private nonisolated func end() {
    lock.lock()
    isOver = true
    visitor?.resume()
    visitor = nil
    lock.unlock()
  }
}

@Suite struct Turnstiles {
  /// One visitor is admitted, and one is cancelled. The third one is cancelled and then admitted,
  /// and only a flag keeps the two apart, as in `atOnce`.
  @Entrance @Test func admitsOrCancels() async {
    let (first, admitted) = await Turnstile.visited()
    await Task.detached { first.admit() }.value
    await admitted.value

    let (_, cancelled) = await Turnstile.visited()
    cancelled.cancel()
    await cancelled.value

    let (third, both) = await Turnstile.visited()
    let isCancelled = Flag()
    let admission = Task.detached {
      isCancelled.lookOut()
      third.admit()
    }
    both.cancel()
    isCancelled.raise()
    await admission.value
    await both.value
  }

  /// Opposite orders, each in a pantry of its own, and the second one after the first has ended.
  @Test func movesInTurn() async {
    let pantries = (0..<2).map { _ in Pantry() }
    await Task { pantries[0].moveUp() }.value
    await Task { pantries[1].moveDown() }.value
  }

  /// Locks of one class, the outer one always before the inner one.
  @Test func keepsToAHierarchy() async {
    let locks = (0..<4).map { _ in NSLock() }
    await withTaskGroup { group in
      for number in 0..<3 {
        group.addTask { nest(locks[number], locks[number + 1]) }
      }
    }
  }
}

private func nest(_ outer: NSLock, _ inner: NSLock) { outer.withLock { inner.withLock {} } }
