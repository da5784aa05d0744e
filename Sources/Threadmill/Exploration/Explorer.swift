#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Runs one body under many schedules, and judges them.
  struct Explorer {
    let seed: UInt64
    let steps: Int
    private let body: @Sendable () async throws -> Void
    /// Where the body is a whole program: what runs it.
    let program: ProgramSchedules?
    private let past = BodyRun.Past()
    /// Judges each run that has led to nothing else; called between the runs.
    var examine: @Sendable (_ bodyIsOver: Bool) -> Examination = { _ in .asUsual }

    /// With so many parked threads, which can never go on, a process explores no more.
    private static let mostParked = 1_000
    /// The most distinct schedules that are counted.
    private static let mostDistinct = 100_000
    /// The default limit of steps, after which a schedule counts as endless.
    static let usualSteps = 100_000
    /// The seconds of real time for which a thread may keep its turn without a step.
    static let patience = 10

    init(
      seed: UInt64, steps: Int, _ body: @escaping @Sendable () async throws -> Void
    ) {
      (self.seed, self.steps, self.body, program) = (seed, steps, body, nil)
    }

    /// Explores a program, each schedule of it in a process of its own.
    init(seed: UInt64, steps: Int, program: ProgramSchedules) {
      (self.seed, self.steps, self.program) = (seed, steps, program)
      body = {}
    }

    /// Explores one schedule again. It may come from an exploration that allowed more steps.
    init(
      replaying schedule: Schedule, steps: Int? = nil,
      _ body: @escaping @Sendable () async throws -> Void
    ) {
      self.init(seed: 0, steps: steps ?? max(Self.usualSteps, 2 * schedule.steps), body)
    }

    /// Whether a thread from outside may help where nothing can go on: it is waited for once.
    var doubts = true

    /// Whether loads read any store that C++20 allows, as the options ask for.
    private static let isWeak: Bool = {
      guard TestBridge.options.memory == .weak else { return false }
      if Gate.seesAtomics { return true }
      Standard.error(
        "threadmill: memory=weak has no effect in this process; atomic accesses are seen in "
          + "threadmill test --explore --sanitize thread\n")
      return false
    }()

    /// Looks at every step, and may choose another one.
    var attention: BodyRun.Attention?

    /// What `examine` says of a run.
    enum Examination {
      /// It is well if the body came to its end.
      case asUsual
      /// It is well, whether the body came to its end or not.
      case isFine
      case fails(any Error)
    }

    /// Looks at the runs of an exploration that go well.
    struct Survey {
      /// Called before the first run, and again if all runs are made anew.
      var begin: () -> Void = {}
      /// Takes a run; returns whether to go on.
      var take: (ControlledRun) -> Bool = { _ in true }
    }

    /// Whether the body began an exploration of its own, which was refused.
    var holdsExploration: Bool { past.hasExplored }

    func explore(
      schedules: Int, strategy: ExplorationStrategy, survey: Survey = Survey()
    ) throws -> Exploration {
      var found: [Finding] = []
      defer { Outlet.shared?.settleExploration(found) }
      let result = try exploreSurely(schedules, strategy, survey)
      found = result.failure?.detected ?? []
      return result
    }

    /// Explores, and once more if a failure of the first run cannot be replayed. That run also runs
    /// one-time initialisers (`static let`), and so takes other steps than every later run. The
    /// second exploration counts if it leads to the same failure and can replay it.
    private func exploreSurely(
      _ schedules: Int, _ strategy: ExplorationStrategy, _ survey: Survey
    ) throws -> Exploration {
      let result = try exploreOnce(schedules, strategy, survey)
      guard let first = result.failure, first.number == 1, first.divergence != nil else {
        return result
      }
      let other = try exploreOnce(schedules, strategy, survey)
      guard let second = other.failure, second.divergence == nil, second.keys == first.keys
      else { return result }
      return other
    }

    private func exploreOnce(
      _ schedules: Int, _ strategy: ExplorationStrategy, _ survey: Survey
    ) throws -> Exploration {
      var result = Exploration(seed: seed)
      survey.begin()
      let began = ContinuousClock.now
      let choice = StrategyPortfolio(strategy, seed: Seed(rawValue: seed))
      var known: Set<UInt64> = []
      var sampling = Sampling()
      let runs = try run(choice, isWeak: Self.isWeak) { run, outcome in
        result.count(run)
        if known.count < Self.mostDistinct { known.insert(run.order) }
        guard outcome.causes.isEmpty else {
          var failure = Exploration.Failure(
            causes: outcome.causes, schedule: run.schedule(), number: result.schedules)
          failure.take(outcome)
          result.failure = failure
          return false
        }
        sampling.offer(result.schedules - 1, run.schedule)
        return survey.take(run) && result.schedules < schedules
      }
      result.distinct = known.count
      result.coverage = runs.strategy.shown
      result.isComplete =
        runs.strategy.coverage == .complete && result.failure == nil && result.uncontrolled == 0
      result.uncontrolledPlaces = Self.places(of: runs.passed)
      // A stuck thread still runs, and would disturb another run.
      if result.failure?.isStuck != true { try makeSure(of: &result, sampling.taken) }
      if result.nondeterminism != nil { result.isComplete = false }
      result.duration = ContinuousClock.now - began
      return result
    }

    /// Runs some schedules and the failure again, to see whether they go the same way.
    private func makeSure(of result: inout Exploration, _ samples: [Schedule]) throws {
      do {
        result.nondeterminism = try recheck(samples)
        if let failure = result.failure { try confirm(failure, in: &result) }
      } catch ExplorationError.tooManyParkedThreads {
        // The results so far stay, but none of the schedules can be run again.
      }
    }

    func replay(_ schedule: Schedule) throws -> Exploration {
      var result = Exploration(seed: seed)
      let began = ContinuousClock.now
      let telling = try followed(schedule)
      if let run = telling.run { result.count(run) }
      result.failure = telling.failure
      Outlet.shared?.settleExploration(result.failure?.detected ?? [])
      result.distinct = result.schedules
      result.uncontrolledPlaces = Self.places(of: telling.passed)
      result.divergence = telling.divergence.map(ScheduleDivergence.init)
      result.duration = ContinuousClock.now - began
      return result
    }

    /// Runs a failure again, simplifies its schedule, and records the story of the simpler one.
    func confirm(
      _ found: Exploration.Failure, in result: inout Exploration
    ) throws {
      let failure = try settled(found)
      result.failure?.schedule = failure.schedule
      for _ in 0..<Self.confirmations {
        guard isSame(failure, try tell(failure.schedule), in: &result) else { return }
      }
      var simplest = failure
      simplest.schedule = simplified(failure)
      let told = try tell(simplest.schedule)
      guard isSame(simplest, told, in: &result), let last = told.failure else { return }
      (simplest.causes, simplest.detected, simplest.told) = (last.causes, last.detected, last.told)
      simplest.awaits = last.awaits
      result.failure = simplest
    }

    /// A settled failure has to come again so often: one that is due to chance may do so once.
    private static let confirmations = 2

    /// Runs the failure again. If it came again with other steps, returns it with the schedule of
    /// the new run, because one-time initialisers of the first run do not run a second time.
    private func settled(_ failure: Exploration.Failure) throws -> Exploration.Failure {
      let again = try tell(failure.schedule)
      guard again.divergence != nil, let other = again.failure, other.keys == failure.keys else {
        return failure
      }
      var settled = failure
      settled.schedule = other.schedule
      return settled
    }

    /// Returns whether the failure came again with the same steps; if not, notes the difference.
    private func isSame(
      _ failure: Exploration.Failure, _ again: Telling, in result: inout Exploration
    ) -> Bool {
      if again.divergence == nil, again.failure?.keys == failure.keys { return true }
      result.failure?.divergence =
        again.divergence.map(ScheduleDivergence.init) ?? .init(endedWith: again.failure?.words)
      result.nondeterminism = result.nondeterminism ?? unlike(failure, again)
      return false
    }

    /// Returns how the second run differed from the failure.
    private func unlike(_ failure: Exploration.Failure, _ again: Telling) -> Nondeterminism {
      let uncontrolled = again.run?.passed ?? 0
      if let divergence = again.divergence {
        return nondeterminism(divergence, failure.schedule, again.place, uncontrolled)
      }
      return Nondeterminism(
        of: failure.schedule, ended: failure.words, then: again.failure?.words ?? "success",
        uncontrolled: uncontrolled)
    }

    /// The strategy after the last run, and the uncontrolled operations of all runs.
    struct Runs<Choice: Strategy> {
      let strategy: Choice
      /// Operations that the Scheduler did not control.
      let passed: [PassedOperation]
    }

    /// The result of one run.
    struct Outcome {
      var causes: [Exploration.Failure.Cause]
      /// The findings of detectors in this run.
      var findings: [Finding]
      /// The tasks that were suspended when nothing could go on.
      var awaits: Awaits?
      var bodyIsOver: Bool
    }

    /// - Parameter judge: called after each run; returns whether to begin another one.
    func run<Choice: Strategy>(
      _ strategy: Choice, doubts: Bool = true, isWeak: Bool = false,
      watching: Scheduler<Choice>.Watching? = nil, remarking: ((MemoryRemark) -> Void)? = nil,
      judge: (ControlledRun, Outcome) -> Bool
    ) throws -> Runs<Choice> {
      guard Gate.isActive else { throw ExplorationError.notWatched }
      if let program {
        return try program.run(
          strategy, doubts: doubts && self.doubts, watching: watching, judge: judge)
      }
      try BodyRun.refuseNested()
      let parked = Gate.parkedThreads
      guard parked < Self.mostParked else { throw ExplorationError.tooManyParkedThreads(parked) }
      let run = BodyRun(past)
      let body = ExpectationWatch.watched(body, run)
      ExpectationWatch.begin(run)
      defer { ExpectationWatch.end() }
      let runs = withoutActuallyEscaping(judge) { judge in
        let scheduler = Scheduler(
          strategy, steps: steps, patience: Self.patience, doubts: doubts && self.doubts,
          isWeak: isWeak, watching: watching
        ) {
          Task { await run.perform(body) }
        } ended: { controlled in
          if let refusal = controlled.end.refusal {
            run.refusal = refusal
            return .init(.cut, goesOn: false)
          }
          let outcome = outcome(of: controlled, run)
          run.begin()
          let goesOn = judge(controlled, outcome) && Gate.parkedThreads < Self.mostParked
          let isCut = controlled.end.isCut
          let isFine = outcome.causes.isEmpty
          return .init(isCut ? .cut : isFine ? .completed : .failed, goesOn: goesOn)
        }
        (run.director, run.freedom) = (scheduler, Self.freedom(Choice.self))
        run.attention = attention
        scheduler.remarking = remarking
        run.begin()
        if !scheduler.run() { run.refusal = .noMemory }
        return Runs(strategy: scheduler.strategy, passed: scheduler.passed)
      }
      if let refusal = run.refusal { throw refusal }
      return runs
    }

    private static func freedom(_ strategy: any Strategy.Type) -> BodyRun.Freedom {
      strategy == Replay.self ? .followed : strategy == Steered.self ? .simplified : .free
    }

    private func outcome(of controlled: ControlledRun, _ run: BodyRun) -> Outcome {
      if !controlled.end.isCut { run.settleClaims() }
      var causes = run.expectations.map(Exploration.Failure.Cause.expectation)
      if let error = run.error { causes.append(.error(error)) }
      let findings = Outlet.shared?.takeExplored() ?? []
      for finding in findings where finding.severity == .error {
        causes.append(.finding(finding.kind, title: finding.title))
      }
      switch controlled.end {
      // Runs with the ends `full`, `unseated` and `outside` were refused before.
      case .over, .full, .unseated, .outside: break
      // Claims end a schedule before it has too many steps.
      case .long: if !run.claims.isTooHot { causes.append(.endless(steps: steps)) }
      case .stuck(_, let seconds, let place):
        let place = Session.named([place])[0].usersPlace ?? "an unknown place"
        causes.append(.stuck(seconds: seconds, place: place))
      }
      guard causes.isEmpty else {
        return Outcome(causes: causes, findings: findings, bodyIsOver: run.isOver)
      }
      switch examine(run.isOver) {
      case .asUsual:
        if !run.isOver { causes.append(.standstill(waiting: controlled.unfinished)) }
      case .isFine: break
      case .fails(let error): causes.append(.error(error))
      }
      let awaits = run.isOver ? nil : Awaits.now
      return Outcome(causes: causes, findings: findings, awaits: awaits, bodyIsOver: run.isOver)
    }
  }

  extension ControlledRun.End {
    fileprivate var isCut: Bool {
      if case .over = self { false } else { true }
    }

    /// The error if the run could not take place; `nil` for a schedule.
    fileprivate var refusal: ExplorationError? {
      switch self {
      case .over, .long, .stuck: nil
      case .full(let most): .tooManyStrands(most)
      case .unseated: .noThread
      case .outside(let place): .waitsOutside(Session.named([place])[0].usersPlace)
      }
    }
  }

  extension Exploration {
    /// The exploration, with its first failure noted in the report. The failure is only a note
    /// there, because the caller that explores answers for it.
    var reported: Self {
      if let failure { Outlet.shared?.note(failure.finding) }
      return self
    }

    mutating func count(_ run: ControlledRun) {
      schedules += 1
      steps += run.steps
      uncontrolled += run.passed
      abandoned += run.unfinished
    }
  }

  extension Exploration.Failure {
    /// Notes what was seen in the run, besides its causes.
    mutating func take(_ outcome: Explorer.Outcome) {
      (detected, awaits) = (outcome.findings, outcome.awaits)
      bodyIsOver = outcome.bodyIsOver
    }

    var keys: Set<String> { Set(causes.map(\.key)) }
    fileprivate var isStuck: Bool { keys.contains("stuck") }
  }
#else
  import ThreadmillModel

  /// The explorer of systems on which nothing is watched: each call throws.
  struct Explorer {
    init(seed: UInt64, steps: Int, _ body: @escaping @Sendable () async throws -> Void) {}

    init(
      replaying schedule: Schedule, steps: Int? = nil,
      _ body: @escaping @Sendable () async throws -> Void
    ) {}

    func explore(schedules: Int, strategy: ExplorationStrategy) throws -> Exploration {
      throw ExplorationError.notWatched
    }

    func replay(_ schedule: Schedule) throws -> Exploration { throw ExplorationError.notWatched }
  }

  extension Exploration {
    var reported: Self { self }
  }
#endif
