#if canImport(XCTest)
  import Threadmill
  import XCTest

  extension XCTestCase {
    /// Runs `body` several times, and disturbs the timing of its threads, so that what seldom
    /// happens happens here.
    ///
    /// Each repetition has a seed of its own; what fails says which. The first has the one that is
    /// given, so that `jittered(.heavy, repeating: 1, seed: 123) { … }` repeats exactly one of
    /// them. They end with the first that leads to a finding or a failure, unless the option
    /// `until` is `end`; an error ends them in any case.
    ///
    /// - Parameters:
    ///   - policy: how; a portfolio tries all, and stays with what shows something new.
    ///   - count: how often; if left out, what the options `repeat` and `time` say, or once.
    ///   - seed: what all chance comes from; if left out, the option `seed`, or another each time.
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

    /// Runs `body` so often, until something is found or fails. It is disturbed in no other way
    /// than the option `jitter` says, each time with another seed.
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
