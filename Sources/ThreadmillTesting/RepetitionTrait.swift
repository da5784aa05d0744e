#if canImport(Testing)
  import Testing
  import Threadmill

  /// A trait that runs the test several times, with or without jitter.
  public struct RepetitionTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let wish: RepetitionWish

    /// On a suite, the trait applies to every test in it.
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
    /// Disturbs the timing of the test's threads, so that rare failures happen more often.
    ///
    /// Each repetition has its own seed, and a failure names it. The first repetition has the seed
    /// that is given, so that `.jittered(.heavy, repeating: 1, seed: 123)` repeats exactly one of
    /// them. The first finding, failed expectation or error ends the repetitions, unless the option
    /// `until` is `end`. Other tests are not disturbed. The cases of a test with arguments share
    /// the repetitions; with `.serialized`, each case has its own.
    ///
    /// - Parameters:
    ///   - policy: how; a portfolio tries all policies, and prefers those that show something new.
    ///   - count: how often; by default the options `repeat` and `time`, or once.
    ///   - seed: the source of all random choices; by default the option `seed`, or a random one.
    public static func jittered(
      _ policy: JitterPolicy = .portfolio, repeating count: Int? = nil, seed: UInt64? = nil
    ) -> Self {
      RepetitionTrait(wish: RepetitionWish(policy: policy, count: count, seed: seed))
    }

    /// `jittered()`, for those who leave the parentheses out.
    public static var jittered: Self { jittered() }

    /// Runs the test up to this many times, until something is found or fails. The option `jitter`
    /// alone says how its threads are disturbed, with another seed each time.
    public static func repeated(_ count: Int) -> Self {
      RepetitionTrait(wish: RepetitionWish(count: count))
    }
  }
#endif
