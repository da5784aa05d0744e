#if canImport(Testing)
  import Testing
  import Threadmill

  /// A trait that expects findings: without one of each kind, the test fails.
  public struct ExpectedFindingTrait: TestTrait, TestScoping {
    fileprivate let kinds: [FindingKind]

    /// Runs one case of the test; called by Swift Testing.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      let expected = ExpectedFindings(kinds)
      defer {
        if let missing = expected.end() {
          Issue.record(Comment(rawValue: missing), sourceLocation: test.sourceLocation)
        }
      }
      try await function()
    }
  }

  extension Trait where Self == ExpectedFindingTrait {
    /// Findings of these kinds do not fail the test, and the test fails if one of the kinds is not
    /// found. It is for tests of code with a known flaw.
    ///
    /// The cases of a test with arguments share their findings. A data race is expected only in a
    /// build with Thread Sanitizer.
    public static func expectedFinding(_ kinds: FindingKind...) -> Self {
      ExpectedFindingTrait(kinds: kinds)
    }
  }
#endif
