#if canImport(Testing)
  import Testing
  // Whoever imports this module has the words of a description, too.
  @_exported import Threadmill

  /// A type is checked by a description of its operations before the test's own code runs.
  public struct LinearizabilityTrait: TestTrait, TestScoping {
    fileprivate let check: @Sendable () throws -> Void

    /// Runs one case of the test; called by Swift Testing.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      do { try check() } catch {
        Issue.record(Comment(rawValue: "Threadmill: \(error)"), sourceLocation: test.sourceLocation)
      }
      try await function()
    }
  }

  extension Trait where Self == LinearizabilityTrait {
    /// The test fails if the type does for several threads what it does not do for one: see
    /// `linearizable`, which has the same parameters.
    ///
    /// ```swift
    /// @Test(
    ///   .linearizable({ Stack<Int>() }) {
    ///     Operation("push", 1...3) { stack, number in stack.push(number) }
    ///     Operation("pop") { stack in stack.pop() }
    ///   })
    /// func stackIsLinearizable() {}
    /// ```
    public static func linearizable<Object>(
      _ make: @escaping @Sendable () async throws -> Object,
      threads: Int = 3, calls: Int = 3, scenarios: Int = 100, schedules: Int = 300,
      consistency: Consistency = .linearizable, progress: ProgressGuarantee = .blocking,
      seed: UInt64 = 1,
      replaying replay: String? = nil,
      @OperationsBuilder<Object, Never> _ operations:
        @escaping @Sendable () -> [DescribedOperation<Object, Never>]
    ) -> Self {
      LinearizabilityTrait {
        try Threadmill.linearizable(
          make, threads: threads, calls: calls, scenarios: scenarios, schedules: schedules,
          consistency: consistency, progress: progress, seed: seed, replaying: replay, operations)
      }
    }
  }
#endif
