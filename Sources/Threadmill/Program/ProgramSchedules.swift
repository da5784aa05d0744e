#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Runs the program under one schedule after the other, each in a copy of this process, which has
  /// not called the program's main function yet.
  ///
  /// Used by the main thread alone; the process has no other one.
  final class ProgramSchedules: @unchecked Sendable {
    private let region: ProgramRegion
    private let output: ProgramOutput
    private let steps: Int
    private let patience: Int
    /// The exploration that each copy comes to by itself, and of which it runs its schedule; `nil`
    /// if the schedule is of the whole program.
    var place: LoneSchedule.Place?
    /// Whether the last copy came to that exploration.
    private(set) var isReached = true

    /// `nil` if the system has no memory for it.
    init?(steps: Int, patience: Int) {
      guard let region = ProgramRegion(), let output = ProgramOutput() else { return nil }
      (self.region, self.output) = (region, output)
      (self.steps, self.patience) = (steps, patience)
    }

    /// The words about an error in the program's output, or else its last line.
    var lastWords: String? { output.lastWords }

    /// The way in which a process ended.
    private enum End {
      case exited(Int32)
      case killed(by: Int32)
      /// It was ended here, after so many seconds.
      case late(seconds: Int)
    }

    /// Runs schedules until `judge` returns false.
    ///
    /// - Throws: an ``ExplorationError`` if the program cannot be explored.
    func run<Choice: Strategy>(
      _ strategy: Choice, doubts: Bool, isWeak: Bool,
      watching: Scheduler<Choice>.Watching?, judge: (ControlledRun, Explorer.Outcome) -> Bool
    ) throws -> Explorer.Runs<Choice> {
      var strategy = strategy
      var number = 0
      ProgramProcess.rehearse(strategy, in: region)
      while strategy.begin(schedule: number) {
        let process = ProgramProcess(region)
        let end = try copy(saying: true) {
          begin(process, strategy, doubts: doubts, isWeak: isWeak)
        }
        let run = learn(&strategy, watching)
        if let refusal = refusal(end) { throw refusal }
        let outcome = outcome(end)
        let goesOn = judge(run, outcome)
        strategy.ended(outcome.causes.isEmpty ? .completed : run.end == .over ? .failed : .cut)
        number += 1
        if !goesOn { break }
      }
      return Explorer.Runs(strategy: strategy, passed: [])
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
      let process = ProgramProcess(
        region,
        telling: .init(
          failure: failure, recorder: recorder, facts: facts, seed: seed?.rawValue))
      var replay = Replay(failure.schedule)
      guard replay.begin(schedule: 0) else { return failure }
      let end = try copy(saying: false) {
        Gate.ownsEnd()
        begin(process, replay, doubts: false, isWeak: !failure.schedule.picks.isEmpty)
      }
      guard !region.isTold else { return nil }
      var told = failure
      // A crash that has harmed the memory of the process may end in another signal.
      let isCrash = if place != nil, case .killed = end { true } else { false }
      if isCrash || Set(causes(end).map(\.key)) == failure.keys { told.told = region.story }
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

    /// Makes a copy of the process, in which the program runs, and waits for its end.
    private func copy(saying isCaught: Bool, _ begin: () -> Void) throws -> End {
      region.clear()
      if isCaught { output.clear() }
      let process = Gate.copyProcess()
      if process == 0 {
        setpgid(0, 0)
        ProgramOutput.giveInput()
        if isCaught {
          output.take()
          Outlet.shared?.fallSilent()
        }
        begin()
        Gate.runProgram()
      }
      guard process > 0 else { throw ExplorationError.noThread }
      // The explorer in the process gives a stuck thread up long before.
      let limit = 4 * patience + 20
      let (status, isLate) = Gate.awaitEnd(of: process, seconds: limit)
      // Processes that the program has started must not disturb the next schedule.
      kill(-process, SIGKILL)
      if isLate { return .late(seconds: limit) }
      let number = status & 0x7F
      return number == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: number)
    }

    /// Has the strategy learn what the copy of it was asked in the other process.
    private func learn<Choice: Strategy>(
      _ strategy: inout Choice, _ watching: Scheduler<Choice>.Watching?
    ) -> ControlledRun {
      var recorder = ScheduleRecorder()
      var order = RunOrder()
      region.eachQuestion { question in
        switch question {
        case .next(let enabled, let running):
          let chosen = strategy.next(enabled, running: running)
          let isForced = Course.isForced(enabled, running: running, chosen: chosen)
          withUnsafePointer(to: strategy) { watching?($0, enabled, chosen, isForced) }
          recorder.append(enabled[chosen], isForced: isForced)
          order.append(enabled[chosen].strand)
        case .pick(let count):
          let chosen = strategy.pick(count)
          guard chosen > 0 else { return }
          recorder.pick(chosen)
          order.append(pick: chosen)
        }
      }
      return ControlledRun(
        end: region.end == .long ? .long : .over, steps: recorder.steps.count,
        unfinished: region.unfinished,
        passed: region.passed, order: order.value, recorder: recorder)
    }

    /// Why the program cannot be explored; `nil` for a schedule.
    private func refusal(_ end: End) -> ExplorationError? {
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

    private func outcome(_ end: End) -> Explorer.Outcome {
      Explorer.Outcome(causes: causes(end), findings: [], bodyIsOver: region.end == .none)
    }

    private func causes(_ end: End) -> [Exploration.Failure.Cause] {
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
      case (_, .exited(let status)): return [.status(status)]
      case (_, .late): return []
      }
    }
  }

  /// The output of the program in the processes of schedules, which nobody reads as it comes.
  struct ProgramOutput {
    private let file: Int32
    private static let mostRead = 1 << 16

    init?() {
      file = Gate.makeFile()
      guard file >= 0 else { return nil }
      _ = fcntl(file, F_SETFL, O_APPEND)
    }

    func clear() { ftruncate(file, 0) }

    /// In the process of a schedule.
    func take() {
      dup2(file, STDOUT_FILENO)
      dup2(file, STDERR_FILENO)
    }

    /// A program that reads a file on its standard input reads all of it in each schedule; another
    /// one finds it empty.
    static func giveInput() {
      var status = stat()
      let isFile = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      let input = open(isFile ? "/proc/self/fd/0" : "/dev/null", O_RDONLY)
      guard input >= 0 else { return }
      dup2(input, STDIN_FILENO)
      if input != STDIN_FILENO { close(input) }
    }

    /// The words about an error, or else the last line.
    var lastWords: String? {
      let length = Int(lseek(file, 0, SEEK_END))
      var bytes = [UInt8](repeating: 0, count: min(max(length, 0), Self.mostRead))
      let count = pread(file, &bytes, bytes.count, off_t(length - bytes.count))
      guard count > 0 else { return nil }
      return LastWords.findAny(in: String(decoding: bytes.prefix(count), as: UTF8.self))
    }
  }
#endif
