#if os(Linux) && canImport(Testing)
  import Synchronization
  import Testing
  import Threadmill

  /// One case of a test that runs again and again.
  struct RepeatedCase {
    let test: Test
    let testCase: Test.Case?

    /// Repeats it as it is wished for. Throws only what ends the test itself: its cancellation.
    func run(
      _ wish: RepetitionWish, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      var repetitions = Repetitions(wish) { policy, seed in
        ".jittered(.\(policy), repeating: 1, seed: \(seed))"
      }
      while let repetition = repetitions.next() {
        let outcome = try await run(repetition, performing: function)
        let charges = repetitions.end(
          repetition, charges: outcome.charges, failures: outcome.failures)
        if Task.isCancelled, let error = outcome.error { throw error }
        fail(for: outcome, charges, in: repetition)
      }
      if let summary = repetitions.summary {
        Issue.record(
          Comment(rawValue: summary), severity: .warning, sourceLocation: test.sourceLocation)
      }
    }

    /// Fails the test for what no repetition before has shown, and Swift Testing does not fail it
    /// for.
    private func fail(
      for outcome: Outcome, _ charges: [Charge], in repetition: Repetitions.Repetition
    ) {
      if let error = outcome.error, let sight = outcome.thrown, repetition.isNew(sight) {
        Issue.record(error, Self.comment(on: repetition), sourceLocation: test.sourceLocation)
      }
      for stray in outcome.strays where repetition.isNew(stray.sight) {
        Issue.record(
          Comment(rawValue: "\(stray)\nThreadmill: \(repetition.words)"),
          sourceLocation: stray.sourceLocation ?? test.sourceLocation)
      }
      for charge in charges { RunningTest.of(test).record(charge) }
    }

    private static func comment(on repetition: Repetitions.Repetition) -> Comment {
      Comment(rawValue: "Threadmill: \(repetition.words)")
    }

    /// What one repetition came to.
    private struct Outcome: Sendable {
      var charges: [Charge] = []
      /// Of the expectations that failed.
      var issues: [Repetitions.Sight] = []
      /// Those of which Swift Testing does not know that they are this test's.
      var strays: [Issue] = []
      var error: (any Error)?

      /// The error, unless it only says that an expectation has failed.
      var thrown: Repetitions.Sight? {
        guard let error, !(error is ExpectationFailedError) else { return nil }
        return Repetitions.Sight(key: "error \(error)", title: "error: \(error)")
      }

      var failures: [Repetitions.Sight] { issues + [thrown].compactMap(\.self) }
    }

    /// Runs it once, and has every failure say which repetition it is from. What others have shown
    /// before it is not said again.
    private func run(
      _ repetition: Repetitions.Repetition,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws -> Outcome {
      let (outcome, scope) = (Shared(), TestBridge.currentScope)
      let watch = IssueHandlingTrait.compactMapIssues { issue in
        guard issue.isFailure else { return Test.current == nil ? nil : issue }
        let sight = issue.sight
        // What comes from a thread without a task is handed to every test that runs, and besides to
        // none, which has it printed once already.
        if Test.current == nil {
          guard TestBridge.currentScope == scope else { return nil }
          outcome.value.withLock { $0.strays.append(issue) }
        }
        outcome.value.withLock { $0.issues.append(sight) }
        guard Test.current != nil, repetition.isNew(sight) else { return nil }
        var issue = issue
        issue.comments.append(Self.comment(on: repetition))
        return issue
      }
      try await watch.provideScope(for: test, testCase: testCase) {
        do {
          try await function()
        } catch {
          outcome.value.withLock { $0.error = error }
        }
        // Before Swift Testing leaves this scope, which would fail the test for them.
        let charges = TestBridge.take(scope)
        outcome.value.withLock { $0.charges = charges }
      }
      return outcome.value.withLock(\.self)
    }

    /// An outcome that issues are added to from any thread.
    private final class Shared: Sendable {
      let value = Mutex(Outcome())
    }
  }

  extension Issue {
    /// The same for every failure of the same kind at the same place.
    fileprivate var sight: Repetitions.Sight {
      let line = sourceLocation.map { "\($0.fileName):\($0.line)" } ?? "an unknown place"
      let title = "\(self)".split(separator: "\n").first.map(String.init) ?? "\(self)"
      let column = sourceLocation?.column ?? 0
      return Repetitions.Sight(key: "issue \(line):\(column)", title: "\(line): \(title)")
    }
  }
#endif
