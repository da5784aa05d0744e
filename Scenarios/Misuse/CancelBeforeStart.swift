import Foundation
import Synchronization

extension Scenario {
  /// Cancelling a preview makes it finished, although its queue has not started it yet.
  ///
  /// **What people write.** An asynchronous operation overrides `cancel()` to stop its work, and
  /// becomes finished there, so that nobody waits for it any longer.
  ///
  /// **Why it breaks.** Only what was started may finish. The queue lets go of the operation, but
  /// comes across it again when it looks for the next one to start.
  ///
  /// **How it shows.** One line on the console that nobody reads. Where nobody else keeps the
  /// operation, the queue looks at freed memory, and the program dies in Foundation, some time
  /// later.
  ///
  /// **Repair.** `cancel()` only marks the operation. `start()`, which comes in any case, notices
  /// it and finishes.
  static let cancelBeforeStart = Scenario(
    id: "cancel-before-start", fault: .misuse,
    summary: "An operation becomes finished when it is cancelled, before its start.",
    expectations: [
      .flawed: .init(.ends, observe: .finds("operationMisuse")),
      .harmful: .init(.traps, observe: .finds("operationMisuse", allowing: "crash")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { Preview.scroll(keepsPreviews: true) { EagerPreview() } },
    harmful: { Preview.scroll(keepsPreviews: false) { EagerPreview() } },
    repaired: { Preview.scroll(keepsPreviews: false) { Preview() } })
}

/// `storage` is its own lock; there is no other state.
private class Preview: Operation, @unchecked Sendable {
  enum Phase { case waiting, executing, finished }
  private let storage = Mutex(Phase.waiting)
  /// For good: a queue may look at an operation after it was waited for.
  private static let kept = Mutex<[Preview]>([])

  final var phase: Phase {
    get { storage.withLock { $0 } }
    set {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      storage.withLock { $0 = newValue }
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    }
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { phase == .executing }
  override var isFinished: Bool { phase == .finished }

  override func start() {
    guard !isCancelled else {
      phase = .finished
      return
    }
    phase = .executing
    DispatchQueue.global().async { self.phase = .finished }
  }

  /// The second preview is scrolled out of sight before the first one is there.
  static func scroll(keepsPreviews: Bool, make: () -> Preview) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    var previews = (1...3).map { _ in make() }
    queue.addOperations(previews, waitUntilFinished: false)
    previews[1].cancel()
    if keepsPreviews { kept.withLock { $0 = previews } }
    previews.removeAll()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
  }
}

/// Adds no state.
private final class EagerPreview: Preview, @unchecked Sendable {
  override func cancel() {
    super.cancel()
    phase = .finished
  }
}
