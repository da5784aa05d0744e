#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  // A failure is told by a process that runs its schedule once more.
  extension ProgramSchedules {
    /// Runs the program once more, under the schedule of a failure, and has the process tell the
    /// failure. The output of this run is shown. Returns the failure with its steps if the process
    /// has not come to tell it; `nil` if it has.
    func tell(_ failure: Exploration.Failure) throws -> Exploration.Failure? {
      let recorder = StoryRecorder(failure.schedule, first: "main thread")
      guard let end = try run(failure, recorder, saying: false) else { return failure }
      guard !alone.region.isTold else { return nil }
      var told = failure
      let isSame =
        if failure.isBySanitizer, case .exited(let status) = end { status != 0 } else {
          Set(causes(end, of: alone).map(\.key)) == failure.keys
        }
      if isSame { told.told = alone.region.story }
      return told
    }

    /// Runs a test once more, under the schedule of a failure. Returns the failure as the process
    /// has told it, or as it is known here if the process has not come to that.
    func finding(of failure: Exploration.Failure) throws -> Finding {
      guard let end = try run(failure, StoryRecorder(failure.schedule), saying: true) else {
        return failure.finding
      }
      let region = alone.region
      var finding = failure.finding
      // A crash may have harmed the memory that telling it takes, and may then end in another
      // signal.
      let isCrash = if case .killed = end { true } else { false }
      if region.isTold, let told = region.findings.first {
        finding = told
      } else if isCrash || Set(causes(end, of: alone).map(\.key)) == failure.keys {
        finding.story = region.story
      }
      if finding.kind == .crash, let words = alone.output.text.flatMap(LastWords.find) {
        finding.facts.append(.init(lastWords: words))
      }
      return finding
    }

    /// Runs the schedule of a failure in a copy that tells it. `nil` if the schedule has no steps.
    private func run(
      _ failure: Exploration.Failure, _ recorder: StoryRecorder, saying isCaught: Bool
    ) throws -> ProgramCopy.End? {
      let process = ProgramProcess(
        alone.region, telling: .init(failure: failure, recorder: recorder))
      var replay = Replay(failure.schedule)
      guard replay.begin(schedule: 0) else { return nil }
      try alone.start(saying: isCaught) {
        Gate.ownsEnd()
        // Without weak memory, accesses are noted only if this asks for them.
        let notes = place != nil && Gate.seesAtomics
        begin(process, replay, doubts: false, isWeak: !failure.schedule.picks.isEmpty || notes)
      }
      return end(of: alone)
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
