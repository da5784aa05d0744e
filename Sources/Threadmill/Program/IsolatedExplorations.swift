#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime

  /// The explorations of whole tests of which each schedule has a process of its own, so that
  /// nothing that a schedule leaves behind reaches the next one.
  ///
  /// They take place before the main function of the process, in copies of it. Then the tests run
  /// in the process itself, and where one of them is to be explored, it gets the result that is
  /// here.
  enum IsolatedExplorations {
    /// Set while the process has one thread; only read after that.
    nonisolated(unsafe) private static var options = Options()
    /// The path of a folder for the temporary files of schedules.
    nonisolated(unsafe) private static var scratch = ""
    /// In the order in which the explorations begin. Set before the main function.
    nonisolated(unsafe) private static var results: [Result<Exploration, any Error>] = []
    /// The explorations that have begun since. Used by threads that explore, one after the other:
    /// the tests of such a process do not run side by side.
    nonisolated(unsafe) private static var begun = 0
    /// Whether the process takes its results from here.
    nonisolated(unsafe) private static var isOn = false

    /// The first word of a request for them; the path of a folder follows.
    static let request = "isolate:"

    /// The number of explorations of one process that are isolated; all further ones are not.
    private static let most = 1_000

    static func adopt(_ options: Options, scratch: String) {
      (self.options, self.scratch) = (options, scratch)
      Gate.beforeMain { IsolatedExplorations.begin() }
    }

    /// The result for an exploration that begins in the process itself; `nil` if that explores as
    /// usual.
    static func next(for explorer: Explorer) throws -> Exploration? {
      guard isOn, explorer.isOfWholeTest else { return nil }
      begun += 1
      guard begun <= results.count else { return nil }
      do {
        let result = try results[begun - 1].get()
        let found = result.failure?.toldElsewhere
        Outlet.shared?.tell(remarks: result.remarks, but: found.map { [$0] } ?? [])
        return result
      } catch ExplorationError.nested {
        explorer.past.hasExplored = true
        return Exploration(seed: explorer.seed)
      } catch IsolationError.claims {
        return nil
      }
    }

    private static func begin() -> Never {
      explore()
      ScheduleFile.clear()
      isOn = true
      Gate.runProgram()
    }

    private static func explore() {
      guard Gate.isAlone else { return refuse(.startsThreadsBeforeMain) }
      guard
        let program = ProgramSchedules(
          steps: Explorer.usualSteps, patience: Explorer.patience, cores: max(1, options.cores),
          scratch: scratch)
      else { return refuse(.noMemory) }
      defer { for copy in program.copies { copy.release() } }
      for number in 1...most {
        program.place = .init(number: number, isOfWholeTest: true)
        do {
          guard let work = try program.work() else { return }
          results.append(Result { try result(of: work, program) })
        } catch {
          results.append(.failure(error))
        }
      }
    }

    /// Gives all explorations the same answer.
    private static func refuse(_ error: ExplorationError) {
      results = Array(repeating: .failure(error), count: most)
    }

    private static func result(
      of work: ExplorationWork, _ program: ProgramSchedules
    ) throws -> Exploration {
      // Those of an exploration that was refused belong to nobody.
      _ = program.takeRemarks()
      let explorer = Explorer(seed: work.seed, steps: program.steps, program: program)
      var result =
        try options.schedule.map(explorer.replay)
        ?? explorer.explore(schedules: work.schedules, strategy: work.strategy)
      if var failure = result.failure {
        failure.schedule.isOfFreshProcess = true
        if !failure.isStuck { failure.toldElsewhere = try program.finding(of: failure) }
        failure.told = failure.toldElsewhere?.story
        result.failure = failure
        result.isolatedFailureIsOfEveryOrder =
          try options.schedule == nil && failure.mayBeOfAnEarlierRun(hasPassed: true)
          && explorer.failsInEveryOrder()
      }
      result.remarks = program.takeRemarks()
      return result
    }
  }

  /// Why schedules have no processes of their own.
  enum IsolationError: Error, CustomStringConvertible {
    /// A copy of the process did not come to the exploration.
    case isNotReached
    /// The body makes claims.
    case claims

    var description: String {
      switch self {
      case .isNotReached: "in a process of its own, a schedule ended before the test began"
      case .claims: "the test claims with always or eventually"
      }
    }
  }
#endif
