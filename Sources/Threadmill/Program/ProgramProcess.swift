#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// The process of one schedule: a copy of the process that explores, in which the program runs.
  ///
  /// Used by the main thread before the program, and then by whoever has the turn.
  final class ProgramProcess: @unchecked Sendable {
    /// The failure that the process tells, and the recorder of its steps.
    struct Telling {
      let failure: Exploration.Failure
      let recorder: StoryRecorder
    }

    /// Set once in the process of a schedule, while it has one thread; `nil` in all others.
    nonisolated(unsafe) private(set) static var current: ProgramProcess?

    private let region: ProgramRegion
    /// `nil` if the schedule is only tried.
    private let telling: Telling?
    private var director: Director?
    private var story: ScheduleStory?
    private var made = 0

    /// Whether nothing of this process is told.
    var isTried: Bool { telling == nil }

    init(_ region: ProgramRegion, telling: Telling? = nil) {
      (self.region, self.telling) = (region, telling)
    }

    /// Lets the rest of the process run under a schedule. Returns on the main thread when that has
    /// its first turn.
    func begin<Choice: Strategy>(_ strategy: Choice, steps: Int, patience: Int, doubts: Bool) {
      Self.current = self
      let watching: Scheduler<NotedStrategy<Choice>>.Watching? =
        telling == nil
        ? nil
        : { _, enabled, chosen, isForced in
          self.note(enabled, chosen, isForced)
        }
      let scheduler = Scheduler(
        NotedStrategy(strategy, in: region), steps: steps, patience: patience, doubts: doubts,
        watching: watching, launch: {}, ended: { self.end($0) })
      director = scheduler
      if !scheduler.exploreProgram() { Gate.end(status: 0) }
      region.end = .none
    }

    /// Runs one schedule of a body in the place of its exploration, and ends the process with it.
    func follow<Choice: Strategy>(
      _ strategy: Choice, in explorer: Explorer, doubts: Bool, isWeak: Bool
    ) throws -> Never {
      Self.current = self
      let watching: Scheduler<NotedStrategy<Choice>>.Watching? =
        telling == nil
        ? nil
        : { _, enabled, chosen, isForced in
          self.note(enabled, chosen, isForced)
        }
      let recorder = telling?.recorder
      region.end = .begun
      do {
        _ = try explorer.run(
          NotedStrategy(strategy, in: region), doubts: doubts, isWeak: isWeak, watching: watching,
          remarking: recorder.map { recorder in { recorder.remark($0) } },
          noting: recorder.map { recorder in { recorder.note($0) } }
        ) { run, outcome in
          self.end(run, outcome, isNested: explorer.holdsExploration)
        }
      } catch let refusal as ExplorationError {
        region.refuse(refusal)
      }
      Gate.end(status: 0)
    }

    /// A body claims something of all steps. The process that explores sees only the choices of its
    /// strategy, and claims make others.
    func refuseClaims() {
      guard LoneSchedule.current?.place.isOfWholeTest == true else { return }
      region.end = .claiming
      Gate.end(status: 0)
    }

    /// The schedule of a body is over.
    private func end(
      _ run: ControlledRun, _ outcome: Explorer.Outcome, isNested: Bool
    ) -> Never {
      (region.unfinished, region.passed) = (run.unfinished, run.passed)
      region.causes = outcome.causes
      if let telling {
        tell(outcome, telling, isEndless: run.end == .long)
      } else {
        region.findings = Outlet.shared?.takeRemarks() ?? []
      }
      region.end =
        isNested ? .nested : run.end == .long ? .long : outcome.bodyIsOver ? .none : .over
      Gate.end(status: 0)
    }

    /// Tells the failure of a body, if this is the same one.
    private func tell(_ outcome: Explorer.Outcome, _ telling: Telling, isEndless: Bool) {
      guard Set(outcome.causes.map(\.key)) == telling.failure.keys else { return }
      telling.recorder.end(isEndless: isEndless)
      var failure = telling.failure
      failure.causes = outcome.causes
      failure.take(outcome)
      Gate.delivering {
        failure.addHandOvers { telling.recorder.handOver(in: $0) }
        failure.told = telling.recorder.story
      }
      region.findings = [failure.finding]
      region.isTold = true
    }

    /// Does once what every schedule needs of Swift's runtime, so that copies of this process find
    /// it done.
    static func rehearse<Choice: Strategy>(_ strategy: Choice, in region: ProgramRegion) {
      let process = ProgramProcess(region)
      let scheduler = Scheduler(
        NotedStrategy(strategy, in: region), steps: 1, launch: {}, ended: { process.end($0) })
      scheduler.rehearse()
      _ = process.finish(status: 0)
      region.clear()
    }

    /// Notes a step that is about to be made. What the last one leads to may be the end of the
    /// process, so the story is told before.
    private func note(
      _ enabled: UnsafeBufferPointer<Offer>, _ chosen: Int, _ isForced: Bool
    ) {
      guard let telling else { return }
      telling.recorder.note(enabled, chosen: chosen, isForced: isForced)
      made += 1
      if made == telling.failure.schedule.steps, !telling.failure.isHang { tellStory() }
    }

    private func tellStory() {
      Gate.delivering {
        story = telling?.recorder.story
        region.story = story
      }
    }

    /// The schedule is over. If threads are left, the program never ends; else its last thread has
    /// just done so.
    private func end(_ run: ControlledRun) -> Never {
      if run.end == .over, run.unfinished == 0 { Gate.endProgram() }
      region.unfinished = run.unfinished
      switch run.end {
      case .over: region.end = .over
      case .long: region.end = .long
      case .stuck(_, let seconds, let place):
        region.end = .stuck
        region.seconds = seconds
        region.message = [Session.named([place])[0].usersPlace ?? ""]
      case .full: region.end = .full
      case .unseated: region.end = .unseated
      case .outside(let place):
        region.end = .outside
        region.message = [Session.named([place])[0].usersPlace ?? ""]
      }
      if let telling {
        telling.recorder.end(isEndless: run.end == .long)
        tellStory()
      }
      PrintedOutput.flush()
      Gate.end(status: finish(status: ExitStatus.findings))
    }

    /// The program ends by itself. Returns the status with which the process is to end.
    func finish(status: Int32) -> Int32 {
      region.passed = Session.passedOperations.reduce(0) { $0 + $1.count }
      let found = Outlet.shared?.takeExplored() ?? []
      guard let telling else {
        let errors = found.filter { $0.severity == .error }
        if region.end != .stuck, region.end != .outside {
          region.causes = errors.map { .finding($0.kind, title: $0.title) }
        }
        return status
      }
      guard telling.failure.isSame(as: found, region.end, status: status) else { return status }
      var failure = telling.failure
      (failure.detected, failure.told) = (found, story)
      Outlet.shared?.settleExploration(found)
      Outlet.shared?.take(explored: failure.finding, nil, counting: [:])
      region.isTold = true
      return Outlet.shared?.finish(status: status) ?? status
    }

    /// The steps that led to what may be the end of the process; `nil` in other processes.
    static var toldStory: ScheduleStory? { current?.story }

    /// The crash that ends the program, with the steps that led to it.
    func complete(_ crash: inout Finding) {
      guard let telling else { return }
      crash.facts += telling.failure.said
      crash.schedule = telling.failure.schedule.description
      crash.story = story
      if LoneSchedule.current != nil { region.findings = [crash] }
      region.isTold = true
    }
  }

  extension Exploration.Failure {
    /// Whether nothing goes on in the program, so that it does not end by itself.
    fileprivate var isHang: Bool {
      causes.contains { cause in
        switch cause {
        case .standstill, .endless, .stuck: true
        default: false
        }
      }
    }

    /// Whether the program has failed like this again.
    fileprivate func isSame(
      as found: [Finding], _ end: ProgramRegion.End, status: Int32
    ) -> Bool {
      let errors = Set(found.filter { $0.severity == .error }.map(\.kind.rawValue))
      return causes.allSatisfy { cause in
        switch cause {
        case .finding(let kind, _): errors.contains(kind.rawValue)
        case .standstill: end == .over
        case .endless: end == .long
        case .stuck: end == .stuck
        case .status(let wanted): end == .none && status == wanted
        case .signal, .sanitizer, .error, .expectation: false
        }
      }
    }
  }
#endif
