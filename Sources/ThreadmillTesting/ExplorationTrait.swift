#if canImport(Testing)
  import Testing
  import Threadmill

  /// The test's function runs under many schedules.
  public struct ExplorationTrait: TestTrait, SuiteTrait, TestScoping {
    let wish: ExplorationWish

    /// On a suite it stands for every test in it.
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
    /// The test runs under up to so many schedules, until one goes wrong: of its threads, blocks
    /// and tasks exactly one goes on at a time, and which one is chosen at each lock, wait, signal,
    /// submission, sleep and beginning.
    ///
    /// A schedule goes wrong where the test throws, an expectation fails, something is found,
    /// nothing can go on, or there is no end. The test fails once for it, with the schedule, which
    /// `threadmill replay` runs again. Explorations take turns; other tests are left alone. The
    /// test is run many times in one process: what it uses has to be made by it.
    ///
    /// - Parameters:
    ///   - schedules: how many at most; if left out, what the option `schedules` says, or 1,000.
    ///   - strategy: how they are chosen; if left out, the option `strategy`, or a portfolio.
    ///   - seed: what all chance comes from; if left out, the option `seed`, or 1.
    public static func explored(
      schedules: Int? = nil, strategy: ExplorationStrategy? = nil, seed: UInt64? = nil
    ) -> Self {
      ExplorationTrait(
        wish: ExplorationWish(schedules: schedules, strategy: strategy, seed: seed))
    }
  }
#endif
