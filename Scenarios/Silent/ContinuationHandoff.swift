import Dispatch
import Foundation

extension Scenario {
  /// A download writes its result into a plain object, resumes a continuation, and the task reads
  /// the object.
  ///
  /// **What people write.** A bridge from callbacks to `await`, with the result on the side.
  ///
  /// **Why it looks dangerous.** Two threads touch the same plain variable. Thread Sanitizer does
  /// not know that `resume` comes before what follows the `await`, and reports a data race.
  ///
  /// **Why it is correct.** The task goes on only after it was resumed.
  static let continuationHandoff = Scenario(
    id: "continuation-handoff", summary: "Data is written before resume and read after the await.",
    correct: {
      let finished = DispatchSemaphore(value: 0)
      Task.detached {
        for number in 0..<200 {
          let page = await download(number)
          precondition(page.body == "page \(number)")
        }
        finished.signal()
      }
      finished.wait()
    })
}

private func download(_ number: Int) async -> Page {
  let page = Page()
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      page.body = "page \(number)"
      continuation.resume()
    }
  }
  return page
}

/// Written before the continuation is resumed, read only after it was.
private final class Page: @unchecked Sendable {
  var body = ""
}
