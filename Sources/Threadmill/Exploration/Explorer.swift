#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Runs one body under many schedules, and judges them.
  struct Explorer {
    private let seed: UInt64
    private let steps: Int
    /// Whether the body may block its thread, as one that is not asynchronous has to.
    private let blocks: Bool
    private let body: @Sendable () async throws -> Void

    /// A process has so many threads that can never go on at most.
    private static let mostParked = 1_000
    /// So many distinct schedules are told apart.
    private static let mostDistinct = 100_000
    /// So often a failure is run again to make it simpler.
    private static let mostAttempts = 200
    /// Seconds of real time for which somebody may keep its turn without a step.
    static let patience = 10

    init(
      seed: UInt64, steps: Int, blocks: Bool, _ body: @escaping @Sendable () async throws -> Void
    ) {
      (self.seed, self.steps, self.blocks, self.body) = (seed, steps, blocks, body)
    }

    /// The first schedule may do what is done once in a process, such as to set a global up, and
    /// then cannot be followed. If that is the one that fails, all of it begins again.
    func explore(schedules: Int, strategy: ExplorationStrategy) throws -> Exploration {
      let first = try exploreOnce(schedules: schedules, strategy: strategy)
      guard let failure = first.failures.first, failure.number == 1, failure.divergence != nil
      else { return first }
      let second = try exploreOnce(schedules: schedules, strategy: strategy)
      return second.failures.isEmpty ? first : second
    }

    private func exploreOnce(schedules: Int, strategy: ExplorationStrategy) throws -> Exploration {
      var result = Exploration(seed: seed)
      let began = ContinuousClock.now
      let choice = StrategyPortfolio(strategy, seed: Seed(rawValue: seed))
      var known: Set<UInt64> = []
      let scheduler = try run(choice) { run, causes in
        result.count(run)
        if known.count < Self.mostDistinct { known.insert(run.order) }
        if !causes.isEmpty {
          result.failures.append(
            .init(causes: causes, schedule: run.schedule(), number: result.schedules))
        }
        return causes.isEmpty && result.schedules < schedules
      }
      result.distinct = known.count
      result.isComplete = scheduler.coverage == .complete && result.failures.isEmpty
      result.uncontrolledPlaces = Self.uncontrolledPlaces()
      if let failure = result.failures.first { result.failures[0] = try confirmed(failure) }
      result.duration = ContinuousClock.now - began
      return result
    }

    func replay(_ schedule: Schedule) throws -> Exploration {
      var result = Exploration(seed: seed)
      let began = ContinuousClock.now
      let replay = try run(Replay(schedule)) { run, causes in
        result.count(run)
        if !causes.isEmpty {
          result.failures.append(.init(causes: causes, schedule: run.schedule(), number: 1))
        }
        return false
      }
      result.distinct = result.schedules
      result.uncontrolledPlaces = Self.uncontrolledPlaces()
      result.divergence = replay.divergence.map { "\($0)" }
      result.duration = ContinuousClock.now - began
      return result
    }

    /// Runs a failure again, and makes its schedule as simple as possible.
    private func confirmed(_ failure: Exploration.Failure) throws -> Exploration.Failure {
      var failure = failure
      // It still goes on, and would disturb a replay.
      if failure.causes.contains(where: { $0.key == "stuck" }) { return failure }
      let again = try replay(failure.schedule)
      let isSame = again.failures.first.map { $0.keys == failure.keys } ?? false
      if let divergence = again.divergence ?? (isSame ? nil : "it did not fail") {
        failure.divergence = divergence
        return failure
      }
      let keys = failure.keys
      let simplest = Shrinking.shrink(failure.schedule, limit: Self.mostAttempts) { plan in
        var schedule: Schedule?
        _ = try? run(Steered(plan), doubts: false) { run, causes in
          if Set(causes.map(\.key)) == keys { schedule = run.schedule() }
          return false
        }
        return schedule
      }
      failure.schedule = simplest.schedule
      return failure
    }

    /// - Parameter judge: what came of each run; whether there is to be another one.
    /// - Returns: the strategy after all of them.
    private func run<Choice: Strategy>(
      _ strategy: Choice, doubts: Bool = true,
      judge: (ControlledRun, [Exploration.Failure.Cause]) -> Bool
    ) throws -> Choice {
      guard Gate.isActive else { throw ExplorationError.notWatched }
      guard !Gate.isControlled else { throw ExplorationError.nested }
      let (body, run) = (body, BodyRun())
      var parked = 0
      let scheduler = withoutActuallyEscaping(judge) { judge in
        let scheduler = Scheduler(
          strategy, steps: steps, patience: Self.patience, doubts: doubts
        ) {
          run.begin()
          Task { await run.perform(body) }
        } ended: { controlled in
          parked = controlled.parked
          let causes = causes(of: controlled, run)
          let goesOn = judge(controlled, causes) && parked < Self.mostParked
          let isCut = controlled.end.isCut
          return .init(isCut ? .cut : causes.isEmpty ? .completed : .failed, goesOn: goesOn)
        }
        _ = scheduler.run()
        return scheduler.strategy
      }
      if parked >= Self.mostParked { throw ExplorationError.tooManyParkedThreads(parked) }
      return scheduler
    }

    private func causes(of controlled: ControlledRun, _ run: BodyRun) -> [Exploration.Failure.Cause]
    {
      var causes: [Exploration.Failure.Cause] = []
      if let error = run.error { causes.append(.error(error)) }
      let findings = Outlet.shared?.takeExplored() ?? []
      for finding in findings where finding.severity == .error {
        causes.append(.finding(finding.kind, title: finding.title))
      }
      switch controlled.end {
      case .over: break
      case .long: causes.append(.endless(steps: steps))
      case .stuck(_, let place):
        let frames = Session.named([place])[0].usersFrames
        causes.append(.stuck(seconds: Self.patience, place: frames.first ?? "an unknown place"))
      }
      if !run.isOver, causes.isEmpty {
        causes.append(.standstill(waiting: controlled.unfinished))
      }
      return causes
    }
  }

  extension Explorer {
    fileprivate static func uncontrolledPlaces() -> [Exploration.UncontrolledPlace] {
      let operations = Session.passedOperations
      return zip(operations, Session.named(operations.map(\.place))).map { operation, place in
        .init(operation: operation.name, count: operation.count, frames: place.usersFrames)
      }
    }
  }

  extension Backtrace {
    /// Functions of the program's own, with file and line; the sanitizer's runtime is linked into
    /// it.
    fileprivate var usersFrames: [String] {
      let users = filter { frame in
        let file = frame.file?.split(separator: "/").last ?? ""
        return !frame.isSystem && !file.hasPrefix("tsan_") && !file.hasPrefix("sanitizer_")
      }
      return users.map { frame in
        let function = frame.function ?? frame.image ?? "?"
        guard let file = frame.file, let line = frame.line else { return function }
        return "\(function) (\(file.split(separator: "/").last ?? ""):\(line))"
      }
    }
  }

  extension ControlledRun.End {
    fileprivate var isCut: Bool {
      if case .over = self { false } else { true }
    }
  }

  /// One run of the body. Used by whoever has its turn, and between the runs by whoever explores:
  /// turns are no synchronisation that Thread Sanitizer knows.
  private final class BodyRun: @unchecked Sendable {
    private(set) var error: (any Error)?
    private(set) var isOver = false

    func begin() { (error, isOver) = (nil, false) }

    func perform(_ body: @Sendable () async throws -> Void) async {
      do {
        try await body()
      } catch {
        Gate.unseen { self.error = error }
      }
      Gate.unseen { isOver = true }
    }
  }

  extension Exploration {
    fileprivate mutating func count(_ run: ControlledRun) {
      schedules += 1
      steps += run.steps
      uncontrolled += run.passed
      abandoned += run.unfinished
    }
  }

  extension Exploration.Failure {
    fileprivate var keys: Set<String> { Set(causes.map(\.key)) }
  }
#endif
