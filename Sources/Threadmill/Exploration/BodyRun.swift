#if os(Linux)
  import ThreadmillRuntime

  /// One run of the body after the other. Used by whoever has its turn, and between the runs by
  /// whoever explores: turns are no synchronisation that Thread Sanitizer knows.
  final class BodyRun: @unchecked Sendable {
    private(set) var error: (any Error)?
    /// Those that failed, each place once.
    private(set) var expectations: [FailedExpectation] = []
    private(set) var isOver = false
    /// Of the run, of all of its exploration from 1; what is left of one before has nothing to say
    /// any more.
    private(set) var number = 0
    /// Why there can be no more runs.
    var refusal: ExplorationError?
    private let count: Count

    /// How often an exploration has run its body, also to make sure of what it found.
    final class Count { var value = 0 }

    init(_ count: Count) { self.count = count }

    func begin() {
      (error, expectations, isOver) = (nil, [], false)
      count.value += 1
      number = count.value
    }

    func perform(_ body: @Sendable () async throws -> Void) async {
      guard Gate.beginBody() else { return }
      do {
        try await body()
      } catch {
        Gate.unseen { self.error = error }
      }
      Gate.unseen {
        isOver = true
        Gate.bodyIsOver()
      }
    }

    func fail(_ expectation: FailedExpectation) {
      Gate.unseen {
        guard !expectations.contains(where: { $0.key == expectation.key }) else { return }
        expectations.append(expectation)
      }
    }
  }
#endif
