#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Runs one body under many schedules, and judges them.
  struct Explorer {
    let seed: UInt64
    let steps: Int
    let body: @Sendable () async throws -> Void
    /// The runner of the program, if the body is a whole program.
    let program: ProgramSchedules?
    let past = BodyRun.Past()
    /// Judges each run that has led to nothing else; called between the runs.
    var examine: @Sendable (_ bodyIsOver: Bool) -> Examination = { _ in .asUsual }
    /// Whether the body is a whole test, of which the copies of a process know by themselves where
    /// it is explored.
    var isOfWholeTest = false

    /// With so many parked threads, which can never go on, a process explores no more.
    static let mostParked = 1_000
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
      /// Whether all schedules are to be run, and not one of each class.
      var tellsAllApart = false
    }

    /// Whether the body began an exploration of its own, which was refused.
    var holdsExploration: Bool { past.hasExplored }

    func explore(
      schedules: Int, strategy: ExplorationStrategy, survey: Survey = Survey()
    ) throws -> Exploration {
      if let result = try IsolatedExplorations.next(for: self) { return result }
      try lead()
      let choice = StrategyPortfolio(
        strategy, seed: Seed(rawValue: seed), lines: TestBridge.options.towards.count)
      let work = ExplorationWork(seed: seed, schedules: schedules, strategy: strategy)
      let isUsual = try LoneSchedule.yieldsTo(self, work) {
        _ = try run(choice, isWeak: Self.isWeak) { _, _ in false }
      }
      guard isUsual else { return Exploration(seed: seed) }
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
      let choice = StrategyPortfolio(
        strategy, seed: Seed(rawValue: seed),
        seesMemory: program == nil && Gate.seesAtomics && !survey.tellsAllApart,
        lines: TestBridge.options.towards.count)
      var known: Set<UInt64> = []
      var sampling = Sampling()
      let runs = try run(choice, schedules: schedules, isWeak: Self.isWeak) { run, outcome in
        result.count(run)
        if outcome.causes.isEmpty { result.longest = max(result.longest, run.steps) }
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
      result.coverage = coverage(runs.strategy)
      result.classes = runs.strategy.classes
      result.isComplete =
        runs.strategy.coverage == .complete && result.failure == nil && result.uncontrolled == 0
        && result.longest <= Fairness.free(of: steps)
      result.uncontrolledPlaces = Self.places(of: runs.passed)
      // A stuck thread still runs, and would disturb another run. A long body is not explored.
      let isRefused = TestBridge.exploresAll && result.tooLong != nil
      if result.failure?.isStuck != true, !isRefused { try makeSure(of: &result, sampling.taken) }
      if result.nondeterminism != nil { result.isComplete = false }
      result.duration = ContinuousClock.now - began
      return result
    }

    /// Runs some schedules and the failure again, to see whether they go the same way.
    private func makeSure(of result: inout Exploration, _ samples: [Schedule]) throws {
      do {
        result.nondeterminism = try recheck(samples)
        if let failure = result.failure { try confirm(failure, in: &result) }
      } catch ExplorationError.tooManyParkedThreads, ExplorationError.standsStill {
        // The results so far stay, but none of the schedules can be run again.
      }
    }

    func replay(_ schedule: Schedule) throws -> Exploration {
      if let result = try IsolatedExplorations.next(for: self) { return result }
      // The options name the schedule to the process that does the work.
      let work = ExplorationWork(seed: seed, schedules: 1, strategy: .portfolio)
      let isUsual = try LoneSchedule.yieldsTo(self, work) {
        _ = try run(Replay(schedule), isWeak: !schedule.picks.isEmpty) { _, _ in false }
      }
      guard isUsual else { return Exploration(seed: seed) }
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
    ///
    /// - Parameter isFixed: whether the schedule is the user's, and stays as it is.
    func confirm(
      _ found: Exploration.Failure, isFixed: Bool = false, in result: inout Exploration
    ) throws {
      let failure = try settled(found)
      result.failure?.schedule = failure.schedule
      for _ in 0..<Self.confirmations {
        guard isSame(failure, try tell(failure.schedule), in: &result) else { return }
      }
      var simplest = failure
      if !isFixed { simplest.schedule = simplified(failure) }
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
    var isStuck: Bool { keys.contains("stuck") }
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
