import Foundation

extension Scenario {
  /// A request resumes its continuation for the answer, and once more for the end of the line.
  ///
  /// **What people write.** A callback interface is wrapped into an asynchronous function. The
  /// answer resumes the continuation; so does the callback for "connection closed", because it may
  /// come without an answer.
  ///
  /// **Why it breaks.** A closed connection after an answer is the normal case. The second `resume`
  /// finds a task that went on long ago, or is gone.
  ///
  /// **How it shows.** A checked continuation kills the program inside the runtime. An unsafe one
  /// corrupts the task: crashes far away, or results that belong to somebody else.
  ///
  /// **Repair.** Take the continuation out of its place before it is resumed, so that it can only
  /// be found once.
  static let resumedTwice = Scenario(
    id: "resumed-twice", fault: .misuse,
    summary: "A continuation is resumed on two paths.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("continuationMisuse", allowing: "crash")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { ask { $0.closeCarelessly() } },
    repaired: { ask { $0.close() } })
}

/// Waits on this thread, which belongs to no task, for the answer and the end of the line.
private func ask(closing: @escaping @Sendable (Line) -> Void) {
  let line = Line()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    _ = await line.ask()
    done.signal()
  }
  line.asked.wait()
  line.receive("yes")
  closing(line)
  done.wait()
}

/// `lock` protects `waiter`.
private final class Line: @unchecked Sendable {
  let asked = Arrivals()
  private let lock = NSLock()
  private var waiter: CheckedContinuation<String, Never>?
  private var lastWaiter: CheckedContinuation<String, Never>?

  func ask() async -> String {
    await withCheckedContinuation { continuation in
      lock.withLock {
        waiter = continuation
        lastWaiter = continuation
      }
      asked.announce()
    }
  }

  func receive(_ answer: String) { take()?.resume(returning: answer) }

  func close() { take()?.resume(returning: "closed") }

  func closeCarelessly() { lock.withLock { lastWaiter }?.resume(returning: "closed") }

  private func take() -> CheckedContinuation<String, Never>? {
    lock.withLock {
      defer { waiter = nil }
      return waiter
    }
  }
}
