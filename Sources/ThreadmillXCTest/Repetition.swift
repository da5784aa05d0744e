#if canImport(XCTest)
  import Threadmill
  import XCTest

  extension XCTestCase {
    /// Runs `body` several times, and disturbs the timing of its threads, so that rare failures
    /// happen more often.
    ///
    /// Each repetition has its own seed, and a failure names it. The first repetition has the seed
    /// that is given, so that `jittered(.heavy, repeating: 1, seed: 123) { … }` repeats exactly one
    /// of them. The first finding or failure ends the repetitions, unless the option `until` is
    /// `end`. An error ends them in any case.
    ///
    /// - Parameters:
    ///   - policy: how; a portfolio tries all policies, and prefers those that show something new.
    ///   - count: how often; by default the options `repeat` and `time`, or once.
    ///   - seed: the source of all random choices; by default the option `seed`, or a random one.
    public func jittered(
      _ policy: JitterPolicy = .portfolio, repeating count: Int? = nil, seed: UInt64? = nil,
      file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
    ) rethrows {
      try run(RepetitionWish(policy: policy, count: count, seed: seed), file, line, body)
    }

    /// The same for asynchronous code.
    public func jittered(
      _ policy: JitterPolicy = .portfolio, repeating count: Int? = nil, seed: UInt64? = nil,
      file: StaticString = #filePath, line: UInt = #line, _ body: () async throws -> Void
    ) async rethrows {
      try await run(RepetitionWish(policy: policy, count: count, seed: seed), file, line, body)
    }

    /// Runs `body` up to this many times, until something is found or fails. The option `jitter`
    /// alone says how its threads are disturbed, with another seed each time.
    public func repeated(
      _ count: Int, file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
    ) rethrows {
      try run(RepetitionWish(count: count), file, line, body)
    }

    /// The same for asynchronous code.
    public func repeated(
      _ count: Int, file: StaticString = #filePath, line: UInt = #line,
      _ body: () async throws -> Void
    ) async rethrows {
      try await run(RepetitionWish(count: count), file, line, body)
    }

    private func run(
      _ wish: RepetitionWish, _ file: StaticString, _ line: UInt, _ body: () throws -> Void
    ) rethrows {
      #if os(Linux)
        var repeated = RepeatedBody(wish, of: self, file, line)
        while repeated.begin() {
          do { try body() } catch {
            repeated.end(throwing: error)
            throw error
          }
          repeated.end()
        }
      #else
        try body()
      #endif
    }

    private func run(
      _ wish: RepetitionWish, _ file: StaticString, _ line: UInt, _ body: () async throws -> Void
    ) async rethrows {
      #if os(Linux)
        var repeated = RepeatedBody(wish, of: self, file, line)
        while repeated.begin() {
          do { try await body() } catch {
            repeated.end(throwing: error)
            throw error
          }
          repeated.end()
        }
      #else
        try await body()
      #endif
    }
  }
#endif
