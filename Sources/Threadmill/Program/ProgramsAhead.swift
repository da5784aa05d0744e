#if os(Linux)
  import ThreadmillReporting
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Runs schedules on several processors, with the results of running one after the other.
  ///
  /// While a schedule runs, further copies run those that the strategy would choose if it learnt
  /// nothing of it. When one of these has its turn, the strategy knows everything that comes before
  /// it, and is asked what the copy was asked. If it gives the same answers, that was the schedule.
  /// Otherwise the schedule is run again.
  ///
  /// A schedule that is no success is run again alone: copies may disturb each other, by files or
  /// ports of the same name.
  final class ProgramsAhead {
    private let program: ProgramSchedules
    private let conditions: ProgramSchedules.Conditions
    private let most: Int
    /// The copies that run, by the numbers of their schedules.
    private var running: [Int: ProgramCopy] = [:]
    private var free: [ProgramCopy]
    /// Whether several copies may run at the same time.
    private var isApart: Bool

    /// - Parameter most: the number of schedules.
    init(
      _ program: ProgramSchedules, _ conditions: ProgramSchedules.Conditions, schedules most: Int
    ) {
      (self.program, self.conditions, self.most) = (program, conditions, most)
      free = program.copies
      isApart = program.copies.count > 1 && most > 1
    }

    /// Runs the schedule that the strategy has begun; `nil` if that is to be done alone.
    func make<Choice: Strategy>(
      _ number: Int, _ strategy: inout Choice
    ) throws -> ProgramSchedules.Made? {
      // The first schedule shows whether the program can be explored.
      guard isApart, number > 0 else { return nil }
      let begun = strategy
      if let made = try makeAmongOthers(number, &strategy) { return made }
      awaitOthers()
      strategy = begun
      let made = try program.makeAlone(&strategy, conditions)
      if made.run.passed == 0, made.outcome.causes.isEmpty {
        isApart = false
        Standard.error(
          "threadmill: processes of the \(program.place == nil ? "program" : "test") disturb each"
            + " other, so only one runs at a time\n")
      }
      return made
    }

    /// Looks at a schedule that was run. What happens outside of a program may be the same for all
    /// of its copies.
    func note(_ made: ProgramSchedules.Made) {
      if made.run.passed > 0 { isApart = false }
    }

    /// Waits for the copies that run. If they were ended early, files that they remove in the end
    /// would disturb the next one.
    func awaitOthers() {
      for copy in running.values { _ = program.end(of: copy) }
      running.removeAll()
      free = program.copies
    }

    /// `nil` if the schedule was no success.
    private func makeAmongOthers<Choice: Strategy>(
      _ number: Int, _ strategy: inout Choice
    ) throws -> ProgramSchedules.Made? {
      let begun = strategy
      if let copy = running.removeValue(forKey: number) {
        try startLater(than: number, begun)
        if let made = finish(copy, &strategy) { return made }
        strategy = begun
      }
      let copy = free.removeLast()
      try program.start(copy, begun, conditions)
      try startLater(than: number, begun)
      return finish(copy, &strategy)
    }

    private func startLater<Choice: Strategy>(than number: Int, _ strategy: Choice) throws {
      let last = min(number + program.copies.count, most) - 1
      guard number < last else { return }
      for later in number + 1...last where running[later] == nil && !free.isEmpty {
        let copy = free.removeLast()
        running[later] = copy
        try program.start(copy, strategy, conditions, later: number + 1...later)
      }
    }

    /// Waits for a copy; `nil` if that was another schedule than the strategy chooses, or no
    /// success.
    private func finish<Choice: Strategy>(
      _ copy: ProgramCopy, _ strategy: inout Choice
    ) -> ProgramSchedules.Made? {
      let end = program.end(of: copy)
      free.append(copy)
      let lesson = program.learn(&strategy, from: copy.region, checks: true)
      let outcome = program.outcome(end, of: copy)
      guard lesson.isSame, lesson.run.passed == 0, outcome.causes.isEmpty,
        program.refusal(end, copy.region) == nil
      else { return nil }
      return ProgramSchedules.Made(run: lesson.run, outcome: outcome)
    }
  }
#endif
