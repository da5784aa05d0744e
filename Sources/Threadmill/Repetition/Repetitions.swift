#if os(Linux)
  import ThreadmillModel
  import ThreadmillPlanning
  import ThreadmillReporting

  /// The runs of one test under jitter, one after the other in one process, each with a seed of its
  /// own.
  ///
  /// The caller asks for ``next()``, runs the test's code, and calls ``end(_:failures:)``, until
  /// ``next()`` returns `nil`.
  package struct Repetitions: Sendable {
    package typealias Sight = Tally.Sight

    private let plan: RepetitionPlan
    private let scope: UInt32
    /// How the test is told to repeat exactly one run, with policy and seed.
    private let command: @Sendable (JitterPolicy, Seed) -> String
    private let begin = ContinuousClock.now
    private var portfolio: Portfolio?
    private var tally = Tally()
    private var hasFailed = false

    /// - Parameter command: what to type to repeat one run.
    package init(
      _ wish: RepetitionWish, command: @escaping @Sendable (JitterPolicy, Seed) -> String
    ) {
      plan = wish.plan(over: TestBridge.options)
      scope = TestBridge.currentScope
      self.command = command
      if plan.policy == .portfolio, plan.count != 1 { portfolio = Portfolio(seed: plan.seed) }
    }

    /// One of them, while it runs.
    package struct Repetition: Sendable {
      let run: Tally.Run
      /// Which one it is, and how to run it again.
      package let words: String
      /// Keys of what the ones before it have shown.
      fileprivate let known: Set<String>
      fileprivate let begin: ContinuousClock.Instant
      fileprivate let coverage: JitterCoverage

      /// Whether no earlier repetition has shown this.
      package func isNew(_ sight: Sight) -> Bool { !known.contains(sight.key) }
    }

    /// Begins the next repetition; `nil` after the last one.
    package mutating func next() -> Repetition? {
      let number = tally.runs + 1
      guard !isOver, plan.count.map({ number <= $0 }) ?? true, hasTime || number == 1 else {
        return nil
      }
      let policy = portfolio?.next() ?? plan.policy
      let seed = policy == .off ? nil : plan.seed(ofNumber: number)
      let run = Tally.Run(number: number, policy: policy, seed: seed)
      let repetition = Repetition(
        run: run, words: words(for: run), known: Set(tally.entries.map(\.sight.key)), begin: .now,
        coverage: TestBridge.coverage)
      TestBridge.begin(run, of: scope, saying: repetition.words)
      return repetition
    }

    /// Ends it; returns what it has to answer for and none before it had.
    ///
    /// - Parameter charges: what ``TestBridge/take(_:)`` gave for it.
    /// - Parameter failures: what else went wrong in it.
    package mutating func end(
      _ repetition: Repetition, charges: [Charge], failures: [Sight]
    ) -> [Charge] {
      TestBridge.end(repetition.run, of: scope)
      let seconds = (ContinuousClock.now - repetition.begin) / .seconds(1)
      let newPairs = TestBridge.coverage.pairs - repetition.coverage.pairs
      portfolio?.reward(repetition.run.policy, newPairs: newPairs, seconds: seconds)
      tally.add(repetition.run, showing: charges.map(\.finding.sight) + failures)
      if !failures.isEmpty || charges.contains(where: \.isError) { hasFailed = true }
      return charges.filter { repetition.isNew($0.finding.sight) }
    }

    private var isOver: Bool { hasFailed && plan.stopsAtFailure }

    /// The results of all repetitions, without a line break at the end; `nil` if none failed, or if
    /// the failure itself says enough.
    package var summary: String? {
      guard hasFailed, !plan.stopsAtFailure, tally.runs > 1 else { return nil }
      let portfolio = portfolio.map {
        PortfolioText($0.outcomes, coverage: TestBridge.coverage).text
      }
      return String((TallyText(tally, noun: "repetition").text + (portfolio ?? "")).dropLast())
    }

    private var hasTime: Bool {
      plan.seconds.map { ContinuousClock.now - begin < .seconds($0) } ?? true
    }

    private func words(for run: Tally.Run) -> String {
      let count = plan.count.map { " of \($0)" } ?? ""
      let again = run.seed.map { "; \(command(run.policy, $0)) repeats it" } ?? ""
      return "repetition \(run.number)\(count)\(again)"
    }
  }
#endif
