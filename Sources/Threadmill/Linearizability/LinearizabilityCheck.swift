#if os(Linux)
  import ThreadmillHistories
  import ThreadmillModel
  import ThreadmillPlanning
  import ThreadmillRuntime

  /// Makes scenarios of a description, explores each of them, and checks what came of the calls.
  ///
  /// Used by one thread at a time: the one that explores, and whoever has the turn between two
  /// runs.
  final class LinearizabilityCheck<
    Object, Model, Knowledge: CallModel & SendableMetatype
  >: @unchecked Sendable {
    let caller: Caller<Object, Model>
    let demand: Demand
    let recorder = HistoryRecorder()
    var book: HistoryBook<Knowledge>
    var result: Linearizability
    /// Whether a thread outside of explorations may help one that waits: nobody did so far.
    private var doubts = true

    /// A schedule has no more steps; a scenario has a few calls.
    static var mostSteps: Int { 20_000 }
    /// So many simpler scenarios are tried in the place of one that fails.
    private static var mostShrinking: Int { 100 }
    /// So many schedules end the exploration of a scenario in which calls wait for ever, and
    /// rightly so: the threads that wait stay for ever.
    private static var mostWaiting: Int { 2 }

    init(_ caller: Caller<Object, Model>, _ model: Knowledge, _ demand: Demand) throws {
      if caller.operations.isEmpty { throw DescriptionError.noOperations }
      for operation in caller.operations where operation.arguments.isEmpty {
        throw DescriptionError.noArguments(operation: operation.name)
      }
      let most = demand.threads * demand.calls
      guard most <= History.mostCalls else {
        throw DescriptionError.tooManyCalls(most, most: History.mostCalls)
      }
      (self.caller, self.demand) = (caller, demand)
      book = HistoryBook(model, keys: Self.keys(of: caller.operations))
      result = Linearizability(seed: demand.seed)
    }

    /// The key of each argument of each operation, if all operations have keys.
    private static func keys(of operations: [DescribedOperation<Object, Model>]) -> [[Int?]] {
      guard operations.allSatisfy({ $0.isIndependent && !$0.keys.contains(nil) }) else { return [] }
      var numbers: [AnyHashable: Int] = [:]
      return operations.map { operation in
        operation.keys.map { key in
          guard let key else { return nil }
          let number = numbers[key.value] ?? numbers.count
          numbers[key.value] = number
          return number
        }
      }
    }

    func run() throws -> Linearizability {
      if let text = demand.replay { return try replay(text) }
      var generator = PlanGenerator(
        caller.operations.map {
          .init(arguments: $0.arguments.count, canBeCancelled: $0.canBeCancelled)
        }, threads: demand.threads, calls: demand.calls, seed: demand.seed)
      return try run(generator.plans(demand.scenarios))
    }

    func run(_ plans: [CallPlan]) throws -> Linearizability {
      for plan in plans {
        result.scenarios += 1
        guard let failure = try check(plan) else { continue }
        let (simplest, last) = try shrink(plan, failure)
        throw try counterexample(simplest, last)
      }
      return result
    }

    /// Returns the failure with the simplest scenario that still fails.
    private func shrink(
      _ plan: CallPlan, _ failure: Exploration.Failure
    ) throws -> (CallPlan, Exploration.Failure) {
      var (plan, failure) = (plan, failure)
      var (attempts, isSimplest) = (0, false)
      while !isSimplest {
        isSimplest = true
        for simpler in plan.simpler where attempts < Self.mostShrinking {
          attempts += 1
          guard let other = try check(simpler) else { continue }
          (plan, failure, isSimplest) = (simpler, other, false)
          break
        }
      }
      return (plan, failure)
    }

    /// Explores a scenario; returns the schedule that goes wrong, simplified.
    func check(_ plan: CallPlan) throws -> Exploration.Failure? {
      let seen = SeenHistories()
      let began = ProcessorTime.now
      var explorer = explorer(of: plan) { _ in .isFine }
      let exploration = try explorer.explore(
        schedules: demand.schedules, strategy: .portfolio,
        survey: .init(begin: { self.beginAnew(seen) }) { run in
          seen.add(run, self.recorder)
          if seen.isFull { self.tellApart(seen, plan) }
          return seen.waiting < Self.mostWaiting
        })
      tellApart(seen, plan)
      doubts = doubts && seen.waiting == 0
      result.schedules += exploration.schedules
      result.uncontrolled += exploration.uncontrolled
      result.exploring += ProcessorTime.now - began - seen.duration
      result.histories += seen.all.count
      result.completeScenarios += exploration.isComplete ? 1 : 0
      result.waitingScenarios += seen.waiting >= Self.mostWaiting ? 1 : 0
      if let failure = exploration.failure { return failure }
      let (learnt, begins) = (result.learning, ProcessorTime.now)
      let bad = try unexplained(seen)
      result.checking +=
        ProcessorTime.now - begins + seen.duration - (result.learning - learnt)
      guard let bad else { return nil }
      explorer = self.explorer(of: plan) { _ in self.examine(plan) }
      return try explorer.confirmed(
        Exploration.Failure(
          causes: [.error(Unexplained())], schedule: bad.recorder.schedule, number: bad.number))
    }

    /// No order of the calls explains what they returned.
    struct Unexplained: Error {}

    func explorer(
      of plan: CallPlan, examine: @escaping @Sendable (Bool) -> Explorer.Examination
    ) -> Explorer {
      let watch =
        demand.progress == .blocking
        ? nil : ProgressWatch(demand.progress, recorder, seed: demand.seed)
      let body = ScenarioBody(plan: plan, caller: caller, recorder: recorder, watch: watch)
      var explorer = Explorer(seed: demand.seed, steps: Self.mostSteps) { try await body.run() }
      explorer.examine = examine
      if let watch { attend(&explorer, watch, plan, examine) }
      explorer.doubts = doubts
      return explorer
    }

    /// Has the watch look at every step, and its word count first.
    private func attend(
      _ explorer: inout Explorer, _ watch: ProgressWatch, _ plan: CallPlan,
      _ examine: @escaping @Sendable (Bool) -> Explorer.Examination
    ) {
      explorer.examine = { isOver in
        guard let stalled = watch.stalled else { return examine(isOver) }
        return Explorer.Examination.fails(self.stalled(stalled, plan))
      }
      explorer.attention = { enabled, chosen, made, mayGuide in
        watch.look(at: enabled, chosen, made, mayGuide: mayGuide)
      }
    }

    private func stalled(
      _ stalled: (thread: Int, isSpinning: Bool), _ plan: CallPlan
    ) -> Stalled {
      let calls = recorder.calls[stalled.thread]
      let place = calls.lastIndex { $0.began != nil } ?? 0
      let call = words(plan.threads[stalled.thread][place])
      let what = stalled.isSpinning ? "goes on without an end" : "waits for another one"
      return Stalled(
        description: "not \(demand.progress.adjective): \(call) of thread \(stalled.thread + 1) "
          + "\(what)")
    }

    /// Judges the run that has just ended by what is known of the model.
    func examine(_ plan: CallPlan) -> Explorer.Examination {
      let history = book.history(of: plan, recorder.calls)
      return verdict(on: history) == .unexplained ? .fails(Unexplained()) : .isFine
    }

    private func beginAnew(_ seen: SeenHistories) {
      seen.removeAll()
      book.forget()
    }

    private func tellApart(_ seen: SeenHistories, _ plan: CallPlan) {
      let began = ProcessorTime.now
      seen.tellApart { book.newHistory(of: plan, $0) }
      seen.duration += ProcessorTime.now - began
    }

    /// Tries what the search would have needed to know; returns whether there was anything.
    func learn() throws -> Bool {
      let wanted = book.model.takeWanted()
      if wanted.isEmpty { return false }
      let began = ProcessorTime.now
      defer { result.learning += ProcessorTime.now - began }
      let codes = book.model.codes
      let walk = SoloWalk(
        caller,
        paths: wanted.map { $0.steps.map { (codes.calls[$0.code], $0.isCancelledBefore) } })
      for (path, answers) in zip(wanted, try walk.run()) { book.model.keep(path, answers) }
      return true
    }

    /// Looks for orders until every history is decided; returns the first one without any.
    ///
    /// What the model does not know is tried for a few histories at a time, then for more: what is
    /// known from some of them decides most others.
    private func unexplained(_ seen: SeenHistories) throws -> SeenHistories.Sight? {
      var (rest, size) = (seen.all[...], Self.firstPart)
      while !rest.isEmpty {
        let part = rest.prefix(size)
        (rest, size) = (rest.dropFirst(size), 2 * size)
        book.model.isCurious = false
        let open = part.filter { !isExplainedAlready($0.history) }
        book.model.isCurious = true
        for sight in open { book.model.want(sight.history.byReturn) }
        if let bad = try firstUnexplained(of: open) { return bad }
      }
      return nil
    }

    /// Looks for orders of some histories, and tries what that needs to know for all of them at
    /// once, until each is decided.
    private func firstUnexplained(
      of sights: [SeenHistories.Sight]
    ) throws -> SeenHistories.Sight? {
      var (open, bad) = (sights, [SeenHistories.Sight]())
      _ = try learn()
      repeat {
        var unknown: [SeenHistories.Sight] = []
        for sight in open {
          switch verdict(on: sight.history) {
          case .explained: break
          case .unexplained: bad.append(sight)
          case .unknown: unknown.append(sight)
          }
        }
        open = unknown
      } while try !open.isEmpty && learn()
      return bad.min { $0.number < $1.number }
    }

    private func isExplainedAlready(_ history: History) -> Bool {
      if case .explained = verdict(on: history) { true } else { false }
    }

    func verdict(on history: History) -> OrderSearch<Knowledge>.Verdict {
      book.model.verdict(on: history, demand.consistency)
    }

    /// So many histories are looked at first.
    private static var firstPart: Int { 4 }
  }
#endif
