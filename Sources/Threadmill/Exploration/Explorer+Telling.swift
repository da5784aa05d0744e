#if os(Linux)
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime
  import ThreadmillScheduling

  // What is told of a schedule, for which it is run once more.
  extension Explorer {
    /// A schedule that was followed, told step by step.
    struct Telling {
      var failure: Exploration.Failure?
      var divergence: Divergence?
      /// Of the divergence.
      var place: Frame?
      var run: ControlledRun?
      /// What was not under control.
      var passed: [PassedOperation] = []
    }

    /// Runs a schedule and writes down what people are told of it.
    func tell(_ schedule: Schedule) throws -> Telling {
      // The process in which a program fails tells the steps itself.
      if program != nil { return try follow(schedule) }
      let recorder = StoryRecorder(schedule)
      var telling = try follow(schedule, recorder)
      Gate.delivering {
        telling.failure?.addHandOvers { recorder.handOver(in: $0) }
        telling.failure?.told = recorder.story
      }
      return telling
    }

    /// Runs a schedule, and sees whether the program follows.
    private func follow(_ schedule: Schedule, _ recorder: StoryRecorder? = nil) throws -> Telling {
      var telling = Telling()
      let watch = DivergenceWatch()
      let watching: Scheduler<Replay>.Watching = { replay, enabled, chosen, isForced in
        recorder?.note(enabled, chosen: chosen, isForced: isForced)
        if !watch.isOver, let divergence = replay.pointee.divergence { watch.note(divergence) }
      }
      func judge(_ run: ControlledRun, _ outcome: Outcome) -> Bool {
        recorder?.end(isEndless: run.end == .long)
        telling.run = run
        if !outcome.causes.isEmpty {
          var failure = Exploration.Failure(
            causes: outcome.causes, schedule: run.schedule(), number: 1)
          failure.take(outcome)
          telling.failure = failure
        }
        return false
      }
      let runs = try run(
        Replay(schedule), isWeak: !schedule.picks.isEmpty || recorder != nil && Gate.seesAtomics,
        watching: watching,
        remarking: { recorder?.remark($0) }, noting: { recorder?.note($0) }, judge: judge)
      telling.divergence = runs.strategy.divergence
      telling.passed = runs.passed
      // Nobody can be at the end of a schedule that has none.
      if telling.divergence?.kind == .wentOn, telling.run?.end == .long {
        telling.divergence = nil
      }
      telling.place = Gate.delivering { watch.place }
      return telling
    }

    /// The same, a few times where the program did not follow: what is made once in a process makes
    /// the first run that comes to a place another one, and the schedule is of a process in which
    /// that was there.
    func followed(_ schedule: Schedule) throws -> Telling {
      let first = try tell(schedule)
      var last = first
      for _ in 0..<Self.secondOpinions {
        guard last.divergence != nil, last.run?.end == .over else { return last }
        last = try tell(schedule)
      }
      return last.divergence == nil ? last : first
    }

    /// Runs schedules again that went well, until one of them goes another way.
    func recheck(_ schedules: [Schedule]) throws -> Nondeterminism? {
      for schedule in schedules {
        if let found = try recheck(schedule) { return found }
      }
      return nil
    }

    /// What is made once in a process, such as a static variable, makes the first run of all
    /// another one than the second, and is no fault: so a run that differs is itself run again.
    func recheck(_ first: Schedule) throws -> Nondeterminism? {
      var schedule = first
      var found = try difference(from: schedule)
      for _ in 0..<Self.secondOpinions {
        guard let other = found?.other else { return nil }
        schedule = other
        found = try difference(from: schedule)
        if let found { return found.nondeterminism }
      }
      return nil
    }

    private static let secondOpinions = 3

    private func difference(
      from schedule: Schedule
    ) throws -> (nondeterminism: Nondeterminism, other: Schedule)? {
      let telling = try follow(schedule)
      guard let run = telling.run else { return nil }
      if let divergence = telling.divergence {
        return (nondeterminism(divergence, schedule, telling.place, run.passed), run.schedule())
      }
      guard let failure = telling.failure else { return nil }
      let result = Nondeterminism(
        of: schedule, ended: "success", then: "failure (\(failure.words))",
        uncontrolled: run.passed)
      return (result, run.schedule())
    }

    func nondeterminism(
      _ divergence: Divergence, _ schedule: Schedule, _ place: Frame?, _ uncontrolled: Int
    ) -> Nondeterminism {
      var result = Nondeterminism(divergence, of: schedule, uncontrolled: uncontrolled)
      result.place = place.flatMap { SourceText.report.place(of: $0) }
      return result
    }
  }

  extension Exploration.Failure {
    /// Says of each race which atomic variable should have ordered its accesses.
    mutating func addHandOvers(_ facts: (Finding) -> [Finding.Fact]) {
      for index in detected.indices where detected[index].kind == .dataRace {
        detected[index].facts += facts(detected[index])
      }
    }
  }

  /// Where somebody stood who did something else. Used by whoever has its turn, and after the run
  /// by whoever explores.
  private final class DivergenceWatch {
    private var stack: FlowPlace?
    private(set) var isOver = false

    func note(_ divergence: Divergence) {
      isOver = true
      let strands = [divergence.strand].compactMap(\.self) + divergence.found.map(\.strand)
      stack = strands.lazy.compactMap { FlowPlace(of: $0) }.first
    }

    /// Called inside `Gate.delivering`.
    var place: Frame? { stack?.frame }
  }
#endif
