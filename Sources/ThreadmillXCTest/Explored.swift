#if canImport(XCTest)
  import Threadmill
  import XCTest

  extension XCTestCase {
    /// Runs `body` under many schedules, until one of them fails. In a schedule, exactly one of the
    /// body's threads, blocks and tasks runs at a time. It is chosen at each lock, wait, signal,
    /// submission and sleep, and whenever one begins.
    ///
    /// A schedule fails if the body throws, an assertion fails, something is found, nothing can go
    /// on, or the body does not end. The test then fails once, with the schedule, which `threadmill
    /// replay` runs again. The body runs many times in one process, so the body, and not `setUp`,
    /// has to create everything that it uses. It may wait for XCTest's expectations: their time
    /// limits pass in virtual time.
    ///
    /// - Parameters:
    ///   - schedules: the greatest number of schedules; by default the option `schedules`, or
    ///   1,000.
    ///   - strategy: how they are chosen; by default the option `strategy`, or a portfolio.
    ///   - seed: the source of all random choices; by default the option `seed`, or 1.
    public func explored(
      schedules: Int? = nil, strategy: ExplorationStrategy? = nil, seed: UInt64? = nil,
      file: StaticString = #filePath, line: UInt = #line,
      _ body: @escaping @Sendable () throws -> Void
    ) {
      run(.init(schedules: schedules, strategy: strategy, seed: seed), file, line, body)
    }

    /// The same for asynchronous code.
    public func explored(
      schedules: Int? = nil, strategy: ExplorationStrategy? = nil, seed: UInt64? = nil,
      file: StaticString = #filePath, line: UInt = #line,
      _ body: @escaping @Sendable () async throws -> Void
    ) {
      run(.init(schedules: schedules, strategy: strategy, seed: seed), file, line, body)
    }

    private func run(
      _ wish: ExplorationWish, _ file: StaticString, _ line: UInt,
      _ body: @escaping @Sendable () async throws -> Void
    ) {
      #if os(Linux)
        let outcome = TestExploration.run(name, wish, body)
        if let failure = outcome.failure {
          XCTFail(failure, file: file, line: line)
        }
      #else
        XCTFail(
          "Threadmill: nothing is explored: that is possible on Linux only", file: file, line: line)
      #endif
    }
  }
#endif
