import Foundation

extension Scenario {
  /// A document takes its recursive lock again while it holds it, and while it holds its undo log's
  /// lock as well.
  ///
  /// **What people write.** `NSRecursiveLock` in a class whose public methods call each other.
  /// `edit` takes the document, then the undo log, and inside it calls `title`, which takes the
  /// document once more.
  ///
  /// **Why it looks dangerous.** A lock is taken by a thread that has it; and the log's lock is
  /// held when the document's is asked for, the reverse of the order of the first two.
  ///
  /// **Why it is correct.** A recursive lock never makes its owner wait.
  static let recursiveRelock = Scenario(
    id: "recursive-relock", summary: "A recursive lock is taken again by its owner.",
    correct: {
      let document = Document()
      onThreads(
        { for _ in 0..<100 { document.edit() } },
        { for _ in 0..<100 { document.edit() } })
      precondition(document.undoSteps == 200)
    })
}

/// `log` protects `steps`, and is only taken under `lock`.
private final class Document: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let log = NSLock()
  private var steps: [String] = []

  var title: String { lock.withLock { "Draft" } }
  var undoSteps: Int { lock.withLock { log.withLock { steps.count } } }

  func edit() {
    lock.lock()
    log.lock()
    steps.append("edit of \(title)")
    log.unlock()
    lock.unlock()
  }
}
