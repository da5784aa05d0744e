import Dispatch
import Foundation

extension Scenario {
  /// A synchronous wrapper around a download, used on the main thread.
  ///
  /// **What people write.** The library has only a call with a completion. A wrapper starts it,
  /// waits on a semaphore, and the completion signals.
  ///
  /// **Why it breaks.** The library delivers completions on the main queue, and the main thread is
  /// the one that waits.
  ///
  /// **How it shows.** It hangs on the main thread only; a test that calls it from another queue
  /// passes.
  ///
  /// **Repair.** Wait on another thread, and keep the main thread in its loop.
  static let completionOnBlockedQueue = Scenario(
    id: "completion-on-blocked-queue", fault: .deadlocks,
    summary: "The main thread waits for a completion that is delivered on the main queue.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: { precondition(Downloader().contents() == "contents") },
    repaired: {
      let downloader = Downloader()
      servingTheMainQueue { done in
        DispatchQueue.global().async {
          precondition(downloader.contents() == "contents")
          done()
        }
      }
    })
}

private final class Downloader: @unchecked Sendable {
  // Written before the signal, read after the wait.
  private var result = ""

  func contents() -> String {
    let done = DispatchSemaphore(value: 0)
    download { text in
      self.result = text
      done.signal()
    }
    done.wait()
    return result
  }

  private func download(completion: @escaping @Sendable (String) -> Void) {
    DispatchQueue.global().async {
      DispatchQueue.main.async { completion("contents") }
    }
  }
}
