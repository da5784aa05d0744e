#if os(Linux) && canImport(XCTest)
  import Threadmill
  import XCTest

  /// A piece of a test that runs again and again; used on the test's own thread or task.
  struct RepeatedBody {
    private let test: XCTestCase
    private let file: String
    private let line: Int
    private var repetitions: Repetitions
    private var running: Repetitions.Repetition?
    private var failuresBefore = 0

    init(_ wish: RepetitionWish, of test: XCTestCase, _ file: StaticString, _ line: UInt) {
      self.test = test
      self.file = "\(file)"
      self.line = Int(line)
      repetitions = Repetitions(wish) { policy, seed in
        "jittered(.\(policy), repeating: 1, seed: \(seed)) { … }"
      }
    }

    /// Begins one; `false` when it is enough, which is said where anything has failed.
    mutating func begin() -> Bool {
      running = repetitions.next()
      failuresBefore = failures
      if running == nil, let summary = repetitions.summary { fail(summary) }
      return running != nil
    }

    /// Ends it, and says which one it was if it failed in a way that none before it had.
    mutating func end(throwing error: (any Error)? = nil) {
      guard let running else { return }
      var sights =
        error.map { [Repetitions.Sight(key: "error \($0)", title: "error: \($0)")] } ?? []
      if failures > failuresBefore {
        sights.append(Repetitions.Sight(key: "failures", title: "failed assertions"))
      }
      if sights.contains(where: running.isNew) {
        fail("Threadmill: \(running.words)")
      }
      let charges = TestBridge.take(TestBridge.currentScope)
      for charge in repetitions.end(running, charges: charges, failures: sights)
      where charge.isError { test.record(charge) }
    }

    private var failures: Int { test.testRun?.totalFailureCount ?? 0 }

    private func fail(_ text: String) {
      test.recordFailure(withDescription: text, inFile: file, atLine: line, expected: true)
    }
  }
#endif
