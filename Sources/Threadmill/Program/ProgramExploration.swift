#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// The exploration of a whole program, which `threadmill explore` asks for. It takes place before
  /// the program's main function, in the process that the program was started in; the program
  /// itself runs in copies of that process.
  enum ProgramExploration {
    /// Set while the process has one thread; only read after that.
    nonisolated(unsafe) private static var options = Options()
    /// The path of a folder for the temporary files of schedules; `nil` for none.
    nonisolated(unsafe) private static var scratch: String?

    /// Takes the request out of the environment, so that no child of the program answers it. The
    /// text itself is cleared too: a sanitizer starts its symbolizer with the environment of the
    /// begin of the process.
    static func adopt(_ options: Options) {
      guard let text = getenv(Gate.programVariable), text.pointee != 0 else { return }
      let request = String(cString: text)
      text.pointee = 0
      unsetenv(Gate.programVariable)
      if request.hasPrefix("/") { return CrashExploration.adopt(options, request) }
      if request.hasPrefix(IsolatedExplorations.request) {
        let scratch = request.dropFirst(IsolatedExplorations.request.count)
        return IsolatedExplorations.adopt(options, scratch: String(scratch))
      }
      self.options = options
      let words = request.split(separator: ":", maxSplits: 1)
      scratch = words.count > 1 ? String(words[1]) : nil
      Gate.beforeMain { ProgramExploration.explore() }
    }

    /// Seconds of real time for which the program may keep its turn without a step.
    private static let patience = Explorer.patience

    private static func explore() {
      do {
        guard Gate.isAlone else { throw ExplorationError.startsThreadsBeforeMain }
        guard
          let program = ProgramSchedules(
            steps: Explorer.usualSteps, patience: patience, cores: max(1, options.cores),
            scratch: scratch)
        else { throw ExplorationError.noMemory }
        try explore(program)
      } catch {
        Standard.error("threadmill: the program is not explored: \(error)\n")
        exit(ExitStatus.wrongUsage)
      }
      exit(0)
    }

    private static func explore(_ program: ProgramSchedules) throws {
      let seed = options.seed?.rawValue ?? 1
      let explorer = Explorer(seed: seed, steps: Explorer.usualSteps, program: program)
      var result =
        try options.schedule.map(explorer.replay)
        ?? explorer.explore(schedules: options.schedules, strategy: options.strategy)
      if options.schedule == nil, result.tooLong != nil {
        throw ExplorationError.tooManySteps(Explorer.usualSteps)
      }
      result.failure?.ofProgram = true
      result.failure?.lastWords = program.lastWords
      if let failure = try result.failure.flatMap({ try program.tell($0) }) {
        Outlet.shared?.take(explored: failure.finding, nil, counting: [:])
      }
      count(result)
    }

    private static func count(_ result: Exploration) {
      let name = ProcessStart.list("cmdline").first ?? ""
      let explored = result.explored(as: name)
      let counts = [
        "exploredSchedules": result.schedules, "exploredPrograms": 1,
        "uncontrolledOperations": result.uncontrolled,
        "replaysThatDiverged": result.divergence == nil ? 0 : 1,
      ]
      Outlet.shared?.take(explored: nil, explored, counting: counts)
    }
  }
#endif
