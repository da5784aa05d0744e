#if canImport(Testing)
  import Testing
  import Threadmill

  /// The test's function runs several times, under jitter if that is asked for.
  public struct RepetitionTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let wish: RepetitionWish

    /// On a suite it stands for every test in it.
    public var isRecursive: Bool { true }

    /// Runs one case of the test; called by Swift Testing.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      #if os(Linux)
        try await RepeatedCase(test: test, testCase: testCase).run(wish, performing: function)
      #else
        try await function()
      #endif
    }
  }

  extension Trait where Self == RepetitionTrait {
    /// The timing of the test's threads is disturbed, so that what seldom happens happens here.
    ///
    /// Each repetition has a seed of its own; what fails says which. The first has the one that is
    /// given, so that `.jittered(.heavy, repeating: 1, seed: 123)` repeats exactly one of them.
    /// They end with the first that leads to a finding, a failed expectation or an error, unless
    /// the option `until` is `end`. Other tests are left alone. The cases of a test with arguments
    /// are disturbed together; with `.serialized` each has its own seed to itself.
    ///
    /// - Parameters:
    ///   - policy: how; a portfolio tries all, and stays with what shows something new.
    ///   - count: how often; if left out, what the options `repeat` and `time` say, or once.
    ///   - seed: what all chance comes from; if left out, the option `seed`, or another each time.
    public static func jittered(
      _ policy: JitterPolicy = .portfolio, repeating count: Int? = nil, seed: UInt64? = nil
    ) -> Self {
      RepetitionTrait(wish: RepetitionWish(policy: policy, count: count, seed: seed))
    }

    /// The test runs so often, until something is found or fails. It is disturbed in no other
    /// way than the option `jitter` says, each time with another seed.
    public static func repeated(_ count: Int) -> Self {
      RepetitionTrait(wish: RepetitionWish(count: count))
    }
  }
#endif
