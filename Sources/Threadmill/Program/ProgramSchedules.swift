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
    /// The number of steps after which a schedule counts as endless.
    let steps: Int
    private let patience: Int
    /// The exploration that each copy comes to by itself, and of which it runs its schedule; `nil`
    /// if the schedule is of the whole program.
    var place: LoneSchedule.Place?
    /// Whether the last copy that ran alone came to that exploration.
    var hasReached: Bool { alone.region.end != .unbegun }
    /// Potential cycles and warnings of the copies that came there, each once.
    private var remarks: [Finding] = []

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
        for remark in made.outcome.remarks
        where !remarks.contains(where: { $0.fingerprint == remark.fingerprint }) {
          remarks.append(remark)
        }
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

    /// Returns and forgets what the copies of an exploration have remarked.
    func takeRemarks() -> [Finding] {
      defer { remarks = [] }
      return remarks
    }

    /// Has a copy come to the exploration at ``place``. Returns what the test asks of it; `nil` if
    /// there is no such exploration.
    func work() throws -> ExplorationWork? {
      guard let place else { return nil }
      let region = alone.region
      try alone.start(saying: true) {
        LoneSchedule.current = LoneSchedule(place, asks: true) { _, work in
          region.message = work.words
          region.end = .none
          Gate.end(status: 0)
        }
      }
      _ = end(of: alone)
      return region.end == .none ? ExplorationWork(region.message) : nil
    }

    /// In the copy: has the process run under a schedule, as a whole or at its place.
    func begin<Choice: Strategy>(
      _ process: ProgramProcess, _ strategy: Choice, doubts: Bool, isWeak: Bool
    ) {
      guard let place else {
        return process.begin(strategy, steps: steps, patience: patience, doubts: doubts)
      }
      LoneSchedule.current = LoneSchedule(place) { explorer, _ in
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
    func refusal(_ end: ProgramCopy.End, _ region: ProgramRegion) -> (any Error)? {
      if let place, region.end == .unbegun {
        return place.isOfWholeTest ? IsolationError.isNotReached : nil
      }
      if region.end == .claiming { return IsolationError.claims }
      let refusal: ExplorationError? =
        switch (region.end, end) {
        case (.nested, _) where place?.isOfWholeTest == true: .nested
        case (.full, _): .tooManyStrands(Gate.mostFlows)
        case (.unseated, _): .noThread
        case (.outside, _): .waitsOutside(region.message.first)
        case (.unbegun, _), (.crowded, _): .noMemory
        case (.stuck, _):
          .standsStill(seconds: region.seconds, place: region.message.first)
        case (_, .late(let seconds)): .standsStill(seconds: seconds, place: nil)
        default: nil
        }
      return refusal
    }

    func outcome(_ end: ProgramCopy.End, of copy: ProgramCopy) -> Explorer.Outcome {
      Explorer.Outcome(
        causes: causes(end, of: copy), findings: [], bodyIsOver: copy.region.end == .none,
        remarks: place == nil ? [] : copy.region.findings)
    }

    func causes(
      _ end: ProgramCopy.End, of copy: ProgramCopy
    ) -> [Exploration.Failure.Cause] {
      let region = copy.region
      let found = region.causes
      guard found.isEmpty, place == nil || region.end != .unbegun else { return found }
      switch (region.end, end) {
      case (.begun, .exited(let status)): return [.status(status)]
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
#endif
