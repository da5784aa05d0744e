#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Runs the program under many schedules, each in a copy of this process, which has not called
  /// the program's main function yet.
  ///
  /// Used by the main thread alone; the process has no other one.
  final class ProgramSchedules: @unchecked Sendable {
    /// The first one is for what runs alone.
    let copies: [ProgramCopy]
    private let steps: Int
    private let patience: Int
    /// The exploration that each copy comes to by itself, and of which it runs its schedule; `nil`
    /// if the schedule is of the whole program.
    var place: LoneSchedule.Place?
    /// Whether the last copy came to that exploration.
    private(set) var isReached = true

    /// - Parameters:
    ///   - cores: so many copies may run at the same time.
    ///   - scratch: a folder for their temporary files.
    ///
    /// `nil` if the system has no memory for it.
    init?(steps: Int, patience: Int, cores: Int = 1, scratch: String? = nil) {
      copies = (0..<cores).compactMap { number in
        ProgramCopy(
          scratch: scratch.map { ProgramScratch(path: "\($0)/\(number)") },
          processor: cores == 1 ? nil : Int(getpid()) + number)
      }
      (self.steps, self.patience) = (steps, patience)
      if copies.isEmpty { return nil }
    }

    var alone: ProgramCopy { copies[0] }
    /// The words about an error in the program's output, or else its last line.
    var lastWords: String? { alone.output.lastWords }

    /// The conditions for the copies of one ``run(_:schedules:doubts:isWeak:watching:judge:)``.
    struct Conditions {
      var doubts: Bool
      var isWeak: Bool
    }

    /// One schedule that was run.
    struct Made {
      var run: ControlledRun
      var outcome: Explorer.Outcome
    }

    /// Runs schedules until `judge` returns false.
    ///
    /// - Parameter most: so many schedules at most.
    /// - Throws: an ``ExplorationError`` if the program cannot be explored.
    func run<Choice: Strategy>(
      _ strategy: Choice, schedules most: Int, doubts: Bool, isWeak: Bool,
      watching: Scheduler<Choice>.Watching?, judge: (ControlledRun, Explorer.Outcome) -> Bool
    ) throws -> Explorer.Runs<Choice> {
      var strategy = strategy
      var number = 0
      let conditions = Conditions(doubts: doubts, isWeak: isWeak)
      ProgramProcess.rehearse(strategy, in: alone.region)
      let ahead = ProgramsAhead(self, conditions, schedules: watching == nil ? most : 1)
      defer { ahead.awaitOthers() }
      while strategy.begin(schedule: number) {
        let made =
          try ahead.make(number, &strategy) ?? makeAlone(&strategy, conditions, watching)
        ahead.note(made)
        let goesOn = judge(made.run, made.outcome)
        let isFine = made.outcome.causes.isEmpty
        strategy.ended(isFine ? .completed : made.run.end == .over ? .failed : .cut)
        number += 1
        if !goesOn { break }
      }
      return Explorer.Runs(strategy: strategy, passed: [])
    }

    /// Runs the schedule that the strategy has begun, while no other copy runs.
    func makeAlone<Choice: Strategy>(
      _ strategy: inout Choice, _ conditions: Conditions,
      _ watching: Scheduler<Choice>.Watching? = nil
    ) throws -> Made {
      try start(alone, strategy, conditions)
      let end = end(of: alone)
      let lesson = learn(&strategy, from: alone.region, watching)
      if let refusal = refusal(end, alone.region) { throw refusal }
      return Made(run: lesson.run, outcome: outcome(end, of: alone))
    }

    /// Starts a schedule, which the strategy of the copy goes on to first.
    ///
    /// - Parameter later: the numbers of the schedules that the strategy begins one after the
    ///   other, of which the last one is run.
    func start<Choice: Strategy>(
      _ copy: ProgramCopy, _ strategy: Choice, _ conditions: Conditions,
      later: ClosedRange<Int>? = nil
    ) throws {
      let process = ProgramProcess(copy.region)
      try copy.start(saying: true) {
        var strategy = strategy
        for number in later.map(Array.init) ?? [] where !strategy.begin(schedule: number) {
          Gate.end(status: 0)
        }
        begin(process, strategy, doubts: conditions.doubts, isWeak: conditions.isWeak)
      }
    }

    /// Waits for the end of a copy.
    func end(of copy: ProgramCopy) -> ProgramCopy.End {
      // The explorer in the process gives a stuck thread up long before.
      copy.end(within: 4 * patience + 20)
    }

    /// Runs the program once more, under the schedule of a failure, and has the process tell the
    /// failure. The output of this run is shown. Returns the failure with its steps if the process
    /// has not come to tell it; `nil` if it has.
    func tell(
      _ failure: Exploration.Failure, seed: Seed? = nil, _ facts: [Finding.Fact] = []
    ) throws -> Exploration.Failure? {
      let recorder =
        place == nil
        ? StoryRecorder(failure.schedule, first: "main thread") : StoryRecorder(failure.schedule)
      let region = alone.region
      let process = ProgramProcess(
        region,
        telling: .init(
          failure: failure, recorder: recorder, facts: facts, seed: seed?.rawValue))
      var replay = Replay(failure.schedule)
      guard replay.begin(schedule: 0) else { return failure }
      try alone.start(saying: false) {
        Gate.ownsEnd()
        begin(process, replay, doubts: false, isWeak: !failure.schedule.picks.isEmpty)
      }
      let end = end(of: alone)
      guard !region.isTold else { return nil }
      var told = failure
      // A crash that has harmed the memory of the process may end in another signal.
      let isCrash = if place != nil, case .killed = end { true } else { false }
      let isSame =
        if failure.isBySanitizer, case .exited(let status) = end { status != 0 } else {
          Set(causes(end, of: alone).map(\.key)) == failure.keys
        }
      if isCrash || isSame { told.told = region.story }
      return told
    }

    /// In the copy: has the process run under a schedule, as a whole or at its place.
    private func begin<Choice: Strategy>(
      _ process: ProgramProcess, _ strategy: Choice, doubts: Bool, isWeak: Bool
    ) {
      guard let place else {
        return process.begin(strategy, steps: steps, patience: patience, doubts: doubts)
      }
      LoneSchedule.current = LoneSchedule(place) { explorer in
        try process.follow(strategy, in: explorer, doubts: doubts, isWeak: isWeak)
      }
    }

    /// The result of a schedule from which the strategy has learnt.
    struct Lesson {
      var run: ControlledRun
      /// Whether it gives the answers that the copy of it has given.
      var isSame = true
    }

    /// Has the strategy learn what the copy of it was asked in the other process.
    func learn<Choice: Strategy>(
      _ strategy: inout Choice, from region: ProgramRegion,
      _ watching: Scheduler<Choice>.Watching? = nil, checks: Bool = false
    ) -> Lesson {
      var recorder = ScheduleRecorder()
      var order = RunOrder()
      var isSame = true
      region.eachQuestion { question, answer in
        let chosen: Int
        switch question {
        case .next(let enabled, let running):
          chosen = strategy.next(enabled, running: running)
          let isForced = Course.isForced(enabled, running: running, chosen: chosen)
          withUnsafePointer(to: strategy) { watching?($0, enabled, chosen, isForced) }
          recorder.append(enabled[chosen], isForced: isForced)
          order.append(enabled[chosen].strand)
        case .pick(let count):
          chosen = strategy.pick(count)
          guard chosen > 0 else { break }
          recorder.pick(chosen)
          order.append(pick: chosen)
        }
        isSame = chosen == answer
        return isSame || !checks
      }
      let run = ControlledRun(
        end: region.end == .long ? .long : .over, steps: recorder.steps.count,
        unfinished: region.unfinished,
        passed: region.passed, order: order.value, recorder: recorder)
      return Lesson(run: run, isSame: isSame)
    }

    /// Why the program cannot be explored; `nil` for a schedule.
    func refusal(_ end: ProgramCopy.End, _ region: ProgramRegion) -> ExplorationError? {
      isReached = region.end != .unbegun
      if place != nil, !isReached { return nil }
      return switch (region.end, end) {
      case (.full, _): .tooManyStrands(Gate.mostFlows)
      case (.unseated, _): .noThread
      case (.outside, _): .waitsOutside(region.message.first)
      case (.unbegun, _), (.crowded, _): .noMemory
      case (.stuck, _):
        .standsStill(seconds: region.seconds, place: region.message.first)
      case (_, .late(let seconds)): .standsStill(seconds: seconds, place: nil)
      default: nil
      }
    }

    func outcome(_ end: ProgramCopy.End, of copy: ProgramCopy) -> Explorer.Outcome {
      Explorer.Outcome(
        causes: causes(end, of: copy), findings: [], bodyIsOver: copy.region.end == .none)
    }

    private func causes(
      _ end: ProgramCopy.End, of copy: ProgramCopy
    ) -> [Exploration.Failure.Cause] {
      let region = copy.region
      let words = region.message
      let found = stride(from: 0, to: words.count - 1, by: 2).compactMap { index in
        FindingKind(rawValue: words[index]).map {
          Exploration.Failure.Cause.finding($0, title: words[index + 1])
        }
      }
      guard found.isEmpty, isReached else { return found }
      switch (region.end, end) {
      case (.long, _): return [.endless(steps: steps)]
      case (.over, _): return region.unfinished > 0 ? [.standstill(waiting: region.unfinished)] : []
      case (_, .killed(let number)): return [.signal(number)]
      case (_, .exited(0)): return []
      case (_, .exited(let status)):
        let error = copy.output.text.flatMap { SanitizerError(in: $0) }
        return [error.map { .sanitizer($0) } ?? .status(status)]
      case (_, .late): return []
      }
    }
  }

  extension Exploration.Failure {
    /// Whether a sanitizer has ended the program. The process then cannot report its own end, and
    /// the output of the run that is shown is not read.
    fileprivate var isBySanitizer: Bool {
      causes.contains { if case .sanitizer = $0 { true } else { false } }
    }
  }
#endif
