import ThreadmillModel

/// The exploration that a test's own code asks for; `nil` leaves a value to the options.
package struct ExplorationWish: Hashable, Sendable {
  package var schedules: Int?
  package var strategy: ExplorationStrategy?
  package var seed: UInt64?

  package init(
    schedules: Int? = nil, strategy: ExplorationStrategy? = nil, seed: UInt64? = nil
  ) {
    (self.schedules, self.strategy, self.seed) = (schedules, strategy, seed)
  }
}

#if os(Linux)
  /// The exploration of one test, which answers for what is found: with one finding, however many
  /// schedules it took.
  package enum TestExploration {
    /// What came of it, besides findings.
    package struct Outcome: Sendable {
      /// Why the test fails besides findings: it has not followed the schedule that it had to.
      package var complaint: String?
      /// Why the test is not explored. That is no fault of a test that did not ask for it.
      package var refusal: String?
      /// The failure of a test that asked for the exploration.
      package var failure: String? { complaint ?? refusal.map { "Threadmill: \($0)" } }
      /// Whether the test must not run as usual after that: its body stood still, or had no end, in
      /// a schedule, or it passes only the first time that it runs.
      package var isNotToRunAgain = false
      /// Whether the reason is what schedules leave behind in the process, so that the test can be
      /// explored with a process for each of them.
      package var needsIsolation = false
    }

    /// The facts of a test that are known before it is explored.
    package enum Past: Sendable {
      /// It asks for the exploration by itself, and answers for every failure.
      case asks
      /// It has run as usual, without an error.
      case passed
      /// It has not run yet.
      case none
    }

    /// - Parameters:
    ///   - test: as findings name it.
    ///   - isWhole: whether the body is the whole test, because all tests are explored.
    package static func run(
      _ test: String, _ wish: ExplorationWish, past: Past = .asks, isWhole: Bool = false,
      _ body: @escaping @Sendable () async throws -> Void
    ) -> Outcome {
      let options = TestBridge.options
      do {
        var explorer =
          options.schedule.map { Explorer(replaying: $0, body) }
          ?? Explorer(
            seed: wish.seed ?? options.seed?.rawValue ?? 1, steps: Explorer.usualSteps, body)
        explorer.isOfWholeTest = isWhole
        let result =
          try options.schedule.map(explorer.replay)
          ?? explorer.explore(
            schedules: wish.schedules ?? options.schedules,
            strategy: wish.strategy ?? options.strategy)
        if explorer.holdsExploration { return Outcome(refusal: "it explores by itself") }
        if TestBridge.exploresAll, options.schedule == nil {
          if let words = result.tooLong { return Outcome(refusal: "it takes \(words)") }
          if past != .asks, let failure = result.failure, failure.isOutsideControl {
            return Outcome(refusal: "in schedule \(failure.number), \(failure.words.printable)")
          }
          if let refusal = try refusal(for: result, of: explorer, past) { return refusal }
        }
        return answer(for: result, of: test)
      } catch ExplorationError.nested {
        return Outcome()
      } catch ExplorationError.tooManyParkedThreads(let count) {
        let refusal = "\(ExplorationError.tooManyParkedThreads(count))"
        return Outcome(refusal: refusal, needsIsolation: past != .asks)
      } catch ExplorationError.waitsOutside(let place) {
        let refusal = "\(ExplorationError.waitsOutside(place))"
        return Outcome(refusal: refusal, isNotToRunAgain: true)
      } catch {
        return Outcome(refusal: "\(error)")
      }
    }

    /// A body that fails in every order, once it has run in this process, fails by something that
    /// an earlier run has left, such as an entry in a static table. That is no finding of an order.
    private static func refusal(
      for result: Exploration, of explorer: Explorer, _ past: Past
    ) throws -> Outcome? {
      guard past != .asks, let failure = result.failure,
        failure.mayBeOfAnEarlierRun(hasPassed: past == .passed)
      else { return nil }
      let start = "it fails in each of \(Explorer.orders) orders"
      if let isOfEveryOrder = result.isolatedFailureIsOfEveryOrder {
        guard isOfEveryOrder else { return nil }
        return Outcome(
          refusal: "\(start), each in a process of its own: \(failure.words.printable)")
      }
      guard try explorer.failsInEveryOrder() else { return nil }
      return Outcome(
        refusal: "\(start) when it runs again in one process: \(failure.words.printable)",
        isNotToRunAgain: failure.number > 1, needsIsolation: true)
    }

    private static func answer(for result: Exploration, of test: String) -> Outcome {
      var result = result
      if result.divergence?.kind == .wentOn && result.failure == nil { result.divergence = nil }
      tell(result, of: test)
      let complaint = result.divergence.map {
        "Threadmill: the test did not follow the schedule: \($0). It is another test or another"
          + " build of it, or depends on more than the order of its threads"
      }
      return Outcome(complaint: complaint, isNotToRunAgain: result.standsStill)
    }

    private static func tell(_ result: Exploration, of test: String) {
      var finding = result.failure?.finding
      finding?.tests = [test]
      finding?.seed = result.seed == 0 ? nil : result.seed
      finding?.facts += facts(of: result)
      let counts = [
        "exploredSchedules": result.schedules, "exploredTests": 1,
        "uncontrolledOperations": result.uncontrolled,
        "replaysThatDiverged": result.divergence == nil ? 0 : 1,
      ]
      let explored = result.explored(as: test)
      Outlet.shared?.take(explored: finding, explored, counting: counts)
    }

    /// Of what went wrong. What is replayed has no other schedules.
    private static func facts(of result: Exploration) -> [Finding.Fact] {
      guard let failure = result.failure else { return [] }
      let number = result.seed == 0 ? nil : Finding.Fact(schedule: failure.number)
      let other = failure.divergence.map { "it was not the same when it was run again: \($0)" }
      let texts = [other, result.nondeterminism.map { "\($0)" }].compactMap(\.self)
      return [number].compactMap(\.self) + texts.map { Finding.Fact($0) }
    }
  }

  extension Exploration.Failure {
    /// Whether a thread loops without a call, or waits for what is not under control, and nothing
    /// else is wrong. Another thread may be about to end that, which has no turn.
    fileprivate var isOutsideControl: Bool {
      guard causes.count == 1, case .stuck = causes[0] else { return false }
      return true
    }
  }

  extension Exploration {
    /// The exploration as the report has it; `nil` if it followed one schedule.
    func explored(as name: String) -> ExploredTest? {
      coverage.map {
        ExploredTest(
          name, $0, isComplete: isComplete, classes: classes, uncontrolled: uncontrolled)
      }
    }

    /// Whether a body did not come to its end.
    fileprivate var standsStill: Bool { failure?.bodyIsOver == false }

    /// Which schedules of a long body came near the limit of steps, or passed it; `nil` if one that
    /// passed it had no end for the order of its steps, since no other one is nearly as long.
    var tooLong: String? {
      guard let failure, failure.causes.count == 1, case .endless(let steps) = failure.causes[0]
      else { return nil }
      if failure.number == 1 { return "more than \(steps) steps in its first schedule" }
      guard longest > steps / Self.longBodies else { return nil }
      return "\(longest) steps in one schedule, and more than \(steps) in another one"
    }

    /// The share of the limit from which on a body counts as long.
    private static let longBodies = 20
  }
#endif
