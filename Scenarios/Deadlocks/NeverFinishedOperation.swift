import Foundation
import Synchronization

extension Scenario {
  /// An upload finishes at once, and is then set to executing.
  ///
  /// **What people write.** An asynchronous operation begins its upload in `start()` and says
  /// afterwards that it is executing. Its completion says that it is finished.
  ///
  /// **Why it breaks.** A picture that the server has already needs no upload: the completion comes
  /// before `start()` goes on. Then "executing" takes the place of "finished".
  ///
  /// **How it shows.** The queue goes on, but whoever waits for this operation waits for ever. Only
  /// with pictures that were uploaded before.
  ///
  /// **Repair.** Say that it is executing first, then begin.
  static let neverFinishedOperation = Scenario(
    id: "never-finished-operation", fault: .deadlocks,
    summary: "An asynchronous operation becomes executing after it has finished.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("operationMisuse")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { Upload.run(LateUpload()) },
    repaired: { Upload.run(Upload()) })
}

/// `storage` is its own lock; there is no other state.
private class Upload: Operation, @unchecked Sendable {
  enum Phase { case waiting, executing, finished }
  private let storage = Mutex(Phase.waiting)

  final var phase: Phase {
    get { storage.withLock { $0 } }
    set {
      willChangeValue(for: \.isExecuting)
      willChangeValue(for: \.isFinished)
      storage.withLock { $0 = newValue }
      didChangeValue(for: \.isExecuting)
      didChangeValue(for: \.isFinished)
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
    begin { self.phase = .finished }
  }

  final func begin(completion: () -> Void) {
    // The server has the picture: nothing to send.
    completion()
  }

  static func run(_ upload: Upload) {
    let network = DispatchQueue(label: "network")
    let queue = OperationQueue()
    queue.underlyingQueue = network
    queue.addOperation(upload)
    queue.waitUntilAllOperationsAreFinished()
    // Finished is one thing, back from `start()` is another.
    network.sync {}
    upload.waitUntilFinished()
  }
}

/// Adds no state.
private final class LateUpload: Upload, @unchecked Sendable {
  override func start() {
    guard !isCancelled else {
      phase = .finished
      return
    }
    begin { self.phase = .finished }
    phase = .executing
  }
}
