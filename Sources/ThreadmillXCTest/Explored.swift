#if canImport(XCTest)
  import Threadmill
  import XCTest

  extension XCTestCase {
    /// Runs `body` under up to so many schedules, until one goes wrong: of its threads, blocks and
    /// tasks exactly one goes on at a time, and which one is chosen at each lock, wait, signal,
    /// submission, sleep and beginning.
    ///
    /// A schedule goes wrong where the body throws, an assertion fails, something is found, nothing
    /// can go on, or there is no end. The test fails once for it, with the schedule, which
    /// `threadmill replay` runs again. The body is run many times in one process: what it uses has
    /// to be made by it, and not by `setUp`. It must not wait for XCTest's expectations, whose run
    /// loop is not under control.
    ///
    /// - Parameters:
    ///   - schedules: how many at most; if left out, what the option `schedules` says, or 1,000.
    ///   - strategy: how they are chosen; if left out, the option `strategy`, or a portfolio.
    ///   - seed: what all chance comes from; if left out, the option `seed`, or 1.
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
        if let complaint = outcome.complaint ?? outcome.refusal {
          XCTFail(complaint, file: file, line: line)
        }
      #else
        XCTFail(
          "Threadmill: nothing is explored: that is possible on Linux only", file: file, line: line)
      #endif
    }
  }
#endif
