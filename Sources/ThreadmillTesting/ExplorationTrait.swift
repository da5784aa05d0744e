#if canImport(Testing)
  import Testing
  import Threadmill

  /// A trait that runs the test under many schedules.
  public struct ExplorationTrait: TestTrait, SuiteTrait, TestScoping {
    let wish: ExplorationWish

    /// On a suite, the trait applies to every test in it.
    public var isRecursive: Bool { true }

    /// Runs one case of the test; called by Swift Testing.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      #if os(Linux)
        let nearest = test.traits.lazy.compactMap { $0 as? Self }.last
        // That of a suite gives way to the test's own, and explores nothing by itself.
        if TestBridge.isExploring || nearest?.wish != wish { return try await function() }
        // Explored already, as every test of the process is.
        guard !TestBridge.exploresAll else { return }
        ExploredTest(test).run(wish, lending: function)
      #else
        Issue.record(
          "Threadmill: nothing is explored: that is possible on Linux only",
          sourceLocation: test.sourceLocation)
      #endif
    }
  }

  extension Trait where Self == ExplorationTrait {
    /// Runs the test under many schedules, until one of them fails. In a schedule, exactly one of
    /// the test's threads, blocks and tasks runs at a time. It is chosen at each lock, wait,
    /// signal, submission and sleep, and whenever one begins.
    ///
    /// A schedule fails if the test throws, an expectation fails, something is found, nothing can
    /// go on, or the test does not end. The test then fails once, with the schedule, which
    /// `threadmill replay` runs again. Explorations run one after the other. Other tests are not
    /// affected. The test runs many times in one process, so it has to create everything that it
    /// uses.
    ///
    /// - Parameters:
    ///   - schedules: the greatest number of schedules; by default the option `schedules`, or
    ///   1,000.
    ///   - strategy: how they are chosen; by default the option `strategy`, or a portfolio.
    ///   - seed: the source of all random choices; by default the option `seed`, or 1.
    public static func explored(
      schedules: Int? = nil, strategy: ExplorationStrategy? = nil, seed: UInt64? = nil
    ) -> Self {
      ExplorationTrait(
        wish: ExplorationWish(schedules: schedules, strategy: strategy, seed: seed))
    }

    /// `explored()`, for those who leave the parentheses out.
    public static var explored: Self { explored() }
  }
#endif
