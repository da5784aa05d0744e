import Dispatch
import Synchronization

extension Scenario {
  /// Many threads count words into one `Mutex`.
  ///
  /// **What people write.** State inside `Synchronization.Mutex`, used from everywhere.
  ///
  /// **Why it looks dangerous.** Its fast path is inlined, and its slow path is a raw system call
  /// inside a library. Thread Sanitizer sees neither as a lock and reports a data race.
  ///
  /// **Why it is correct.** It is the lock of the standard library, used as documented.
  static let contendedMutex = Scenario(
    id: "contended-mutex", summary: "Synchronization.Mutex under heavy contention.",
    correct: {
      let words = WordCount()
      let both = Arrivals()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          for number in 0..<4_000 { words.add("word \(number % 7)") }
        },
        {
          both.meet(2, limit: .infinity)
          for number in 0..<4_000 { words.add("word \(number % 5)") }
        })
      DispatchQueue.concurrentPerform(iterations: 1_000) { _ in words.add("word") }
      precondition(words.total == 9_000)
    })
}

private final class WordCount: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  var total: Int { counts.withLock { $0.values.reduce(0, +) } }

  func add(_ word: String) { counts.withLock { $0[word, default: 0] += 1 } }
}
