#if os(Linux)
  import Glibc
  import ThreadmillDetection
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// The exploration of a crash that has ended the process of a test. This process has the same
  /// test, and takes place before its main function; each schedule runs in a copy of it, so that no
  /// copy can harm what is known here.
  enum CrashExploration {
    /// Set while the process has one thread; only read after that.
    nonisolated(unsafe) private static var options = Options()
    /// The path of the file with the schedule of the crash.
    nonisolated(unsafe) private static var path = ""

    static func adopt(_ options: Options, _ path: String) {
      (self.options, self.path) = (options, path)
      Gate.beforeMain { CrashExploration.explore() }
    }

    /// So many explorations of one process are tried.
    private static let mostExplorations = 100

    private static func explore() {
      guard Gate.isAlone,
        let crash = SourceFile.lines(of: path).flatMap(LostSchedule.init(parsing:)),
        let program = ProgramSchedules(steps: Explorer.usualSteps, patience: Explorer.patience)
      else { exit(ExitStatus.wrongUsage) }
      let explorer = Explorer(seed: 0, steps: Explorer.usualSteps, program: program)
      do {
        if let failure = try settled(crash, program, explorer) {
          if try isOfEveryOrder(program, explorer) {
            leave(crash.test)
          } else {
            tell(failure, try program.finding(of: failure), of: crash.test)
          }
        }
      } catch {
        Standard.error("threadmill: the crash is not explored: \(error)\n")
      }
      exit(ExitStatus.findings)
    }

    /// The crash with a simple schedule; `nil` if it does not come again.
    private static func settled(
      _ crash: LostSchedule, _ program: ProgramSchedules, _ explorer: Explorer
    ) throws -> Exploration.Failure? {
      for number in 1...mostExplorations {
        for warmsUp in crash.number > 1 ? [true, false] : [false, true] {
          program.place = .init(number: number, isOfWholeTest: false, warmsUp: warmsUp)
          let again = try explorer.tell(crash.schedule)
          guard let signal = again.failure, signal.isCrash else { continue }
          var result = Exploration(seed: 0)
          let failure = Exploration.Failure(
            causes: signal.causes, schedule: crash.schedule, number: crash.number)
          result.failure = failure
          try explorer.confirm(failure, isFixed: options.schedule != nil, in: &result)
          if result.failure?.divergence == nil { return result.failure }
        }
        if !program.hasReached { return nil }
      }
      return nil
    }

    /// Whether the test crashes in every order once it has run in the process, although no crash
    /// of its first run is known. That is no crash of an order.
    private static func isOfEveryOrder(
      _ program: ProgramSchedules, _ explorer: Explorer
    ) throws -> Bool {
      guard options.schedule == nil, program.place?.warmsUp == true else { return false }
      return try explorer.failsInEveryOrder()
    }

    private static func leave(_ test: String) {
      let reason = "it crashes in each of \(Explorer.orders) orders when it runs again"
      Outlet.shared?.note { $0.leaveUnexplored(test, reason, needsIsolation: true) }
    }

    private static func tell(
      _ failure: Exploration.Failure, _ told: Finding, of test: String
    ) {
      var finding = told
      finding.tests = [test]
      finding.seed = options.seed?.rawValue
      if options.schedule == nil { finding.facts.append(.init(schedule: failure.number)) }
      let counts = ["exploredSchedules": failure.number, "exploredTests": 1]
      Outlet.shared?.take(explored: finding, nil, counting: counts)
    }
  }

  extension Exploration.Failure {
    /// Whether a signal has ended the process.
    fileprivate var isCrash: Bool {
      causes.contains { if case .signal = $0 { true } else { false } }
    }
  }
#endif
