#if os(Linux)
  import ThreadmillRuntime

  /// How a test framework has whoever explores know of the expectations that fail in a body,
  /// instead of failing its test for each.
  package struct ExpectationWatch: Sendable {
    package typealias Body = @Sendable () async throws -> Void
    package typealias Failing = @Sendable (FailedExpectation) -> Void

    private let begin: @Sendable (@escaping Failing) -> Void
    private let end: @Sendable () -> Void
    private let perform: @Sendable (Body, _ isFirst: Bool, @escaping Failing) async throws -> Void

    /// - Parameters:
    ///   - begin: called before the first run of an exploration, on the thread that explores.
    ///   - end: called after the last one.
    ///   - perform: runs the body once; it may never come back. What is no failure is told in the
    ///     first run only.
    package init(
      begin: @escaping @Sendable (@escaping Failing) -> Void = { _ in },
      end: @escaping @Sendable () -> Void = {},
      perform: @escaping @Sendable (Body, _ isFirst: Bool, @escaping Failing) async throws -> Void
    ) {
      (self.begin, self.end, self.perform) = (begin, end, perform)
    }

    /// Set while the process has one thread; only read after that.
    nonisolated(unsafe) static var all: [ExpectationWatch] = []

    static func begin(_ run: BodyRun) {
      for watch in all { watch.begin { run.fail($0) } }
    }

    static func end() {
      for watch in all { watch.end() }
    }

    /// The body as each framework watches it.
    static func watched(_ body: @escaping Body, _ run: BodyRun) -> Body {
      all.reduce(body) { body, watch in { try await watch.perform(body, of: run) } }
    }

    private func perform(_ body: Body, of run: BodyRun) async throws {
      let number = Gate.unseen { run.number }
      try await perform(body, number == 1) { expectation in
        if run.number == number { run.fail(expectation) }
      }
    }
  }
#endif
