#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillRuntime

  /// The explorations of a test process of which each schedule has a process of its own, so that
  /// nothing that a schedule leaves behind reaches the next one.
  ///
  /// They take place before the main function of the process, in copies of it. Then the tests run
  /// in the process itself, and where one of them explores, it gets the result that is here.
  enum IsolatedExplorations {
    /// Set while the process has one thread; only read after that.
    nonisolated(unsafe) private static var options = Options()
    /// The path of a folder for the temporary files of schedules.
    nonisolated(unsafe) private static var scratch = ""
    /// In the order in which the explorations begin; `nil` for one that takes place in the process
    /// itself. Set before the main function.
    nonisolated(unsafe) private static var results: [Result<Exploration, any Error>?] = []
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
      guard isOn, explorer.program == nil else { return nil }
      begun += 1
      guard begun <= results.count, let result = results[begun - 1] else { return nil }
      do {
        return try result.get()
      } catch ExplorationError.nested {
        explorer.past.hasExplored = true
        return Exploration(seed: explorer.seed)
      }
    }

    private static func begin() -> Never {
      explore()
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
      for number in 1...most {
        program.place = .init(number: number, warmsUp: false)
        guard let result = next(program) else { return }
        results.append(result)
      }
    }

    /// The result of the exploration at the program's place; `nil` if there is none, and the inner
    /// one if it takes place in the process itself.
    private static func next(_ program: ProgramSchedules) -> Result<Exploration, any Error>?? {
      do {
        guard let words = try program.work() else { return nil }
        let asked = ExplorationWork.parse(words)
        return .some(
          try asked.map { .success(try result(of: $0.work, $0.seed, $0.steps, program)) })
      } catch {
        return .failure(error)
      }
    }

    /// Gives all explorations the same answer.
    private static func refuse(_ error: ExplorationError) {
      results = Array(repeating: .failure(error), count: most)
    }

    private static func result(
      of work: ExplorationWork, _ seed: UInt64, _ steps: Int, _ program: ProgramSchedules
    ) throws -> Exploration {
      program.steps = steps
      let explorer = Explorer(seed: seed, steps: steps, program: program)
      var result =
        switch work {
        case .explore(let schedules, let strategy):
          try explorer.explore(schedules: schedules, strategy: strategy)
        case .follow(let schedule): try explorer.replay(schedule)
        case .own: Exploration(seed: seed)
        }
      if var failure = result.failure {
        failure.schedule.isOfFreshProcess = true
        if !failure.isStuck { failure.toldElsewhere = try program.finding(of: failure) }
        failure.told = failure.toldElsewhere?.story
        result.failure = failure
      }
      result.isolatedFailureIsOfEveryOrder = try isOfEveryOrder(result.failure, explorer)
      return result
    }

    private static func isOfEveryOrder(
      _ failure: Exploration.Failure?, _ explorer: Explorer
    ) throws -> Bool {
      guard let failure, failure.mayBeOfAnEarlierRun(hasPassed: true) else { return false }
      return try explorer.failsInEveryOrder()
    }
  }
#endif
