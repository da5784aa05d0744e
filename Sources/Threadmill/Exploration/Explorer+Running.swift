#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  // Runs of a body under one strategy, and their results.
  extension Explorer {
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
      /// Potential cycles and warnings of a process of its own, which cannot tell them itself.
      var remarks: [Finding] = []
    }

    /// - Parameters:
    ///   - most: the number of runs after which `judge` ends them at the latest.
    ///   - judge: called after each run; returns whether to begin another one.
    func run<Choice: Strategy>(
      _ strategy: Choice, schedules most: Int = 1, doubts: Bool = true, isWeak: Bool = false,
      watching: Scheduler<Choice>.Watching? = nil, remarking: ((MemoryRemark) -> Void)? = nil,
      noting: ((HandOver.Access) -> Void)? = nil,
      judge: (ControlledRun, Outcome) -> Bool
    ) throws -> Runs<Choice> {
      guard Gate.isActive else { throw ExplorationError.notWatched }
      if let program {
        return try program.run(
          strategy, schedules: most, doubts: doubts && self.doubts, isWeak: isWeak,
          watching: watching, judge: judge)
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
        scheduler.letsTimePass = run.freedom == .followed || Self.isLed
        run.attention = attention
        (scheduler.remarking, scheduler.noting) = (remarking, noting)
        scheduler.cutting = { run.cut() }
        run.begin()
        if !scheduler.run() { run.refusal = .noMemory }
        return Runs(strategy: scheduler.strategy, passed: scheduler.passed)
      }
      if let refusal = run.refusal { throw refusal }
      return runs
    }

    private static func freedom(_ strategy: any Strategy.Type) -> BodyRun.Freedom {
      switch strategy {
      case is Replay.Type, is NotedStrategy<Replay>.Type: .followed
      case is Steered.Type, is NotedStrategy<Steered>.Type: .simplified
      default: .free
      }
    }

    /// If strands were held while time passed, only a deadlock is a failure: a test that sleeps
    /// expects that others come first.
    private func outcome(of controlled: ControlledRun, _ run: BodyRun) -> Outcome {
      if !controlled.end.isCut { run.settleClaims() }
      var causes = run.expectations.map(Exploration.Failure.Cause.expectation)
      if let error = run.error { causes.append(.error(error)) }
      let findings = run.takeFindings()
      if controlled.hasLetTimePass, run.freedom != .followed,
        !findings.contains(where: { $0.kind == .deadlock })
      {
        return Outcome(causes: [], findings: [], bodyIsOver: run.isOver)
      }
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
#endif
