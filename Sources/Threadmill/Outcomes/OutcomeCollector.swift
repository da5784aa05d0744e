import ThreadmillModel

#if os(Linux)
  import ThreadmillRuntime
  import ThreadmillScheduling

  /// Explores one body, and keeps what it returns.
  struct OutcomeCollector<Value: Hashable & Sendable> {
    private let explorer: Explorer
    private let returned = Returned<Value>()

    /// So many schedules at most are random walks, from which the number of all is estimated.
    private static var mostWalks: Int { 64 }
    /// So many values at most get a simplified schedule; others keep the one that led to them.
    private static var mostSimplified: Int { 100 }

    init(seed: UInt64, steps: Int, _ body: @escaping @Sendable () async throws -> Value) {
      let returned = returned
      explorer = Explorer(seed: seed, steps: steps) { try await returned.keep(body) }
    }

    init(replaying schedule: Schedule, _ body: @escaping @Sendable () async throws -> Value) {
      let returned = returned
      explorer = Explorer(replaying: schedule) { try await returned.keep(body) }
    }

    func collect(schedules: Int, strategy: ExplorationStrategy) throws -> Outcomes<Value> {
      let tally = OutcomeTally<Value>()
      let walked = try walk(strategy == .exhaustive ? 0 : min(Self.mostWalks, schedules / 4), tally)
      let isSmall = walked.estimate.map { $0 < Double(schedules) * Self.share } ?? false
      let isExhaustive = strategy == .portfolio && isSmall
      // A search of everything sees each schedule once, and counts nothing twice.
      isExhaustive ? tally.removeAll() : tally.mark()
      let survey = Explorer.Survey(
        begin: tally.goBack,
        take: { run in
          tally.add(returned.take(), run)
          return true
        }, tellsAllApart: true)
      var exploration = try explorer.explore(
        schedules: isExhaustive ? schedules : schedules - walked.products.count,
        strategy: isExhaustive ? .exhaustive : strategy, survey: survey
      ).reported
      if let failure = exploration.failure { throw failure }
      if !isExhaustive { exploration.add(walked.exploration) }
      let estimate = exploration.isComplete ? nil : walked.estimate
      var outcomes = Outcomes(
        all: tally.outcomes, exploration: exploration, estimatedSchedules: estimate)
      for index in outcomes.all.indices.prefix(Self.mostSimplified) {
        try simplify(&outcomes.all[index])
      }
      return outcomes
    }

    func replay(_ schedule: Schedule) throws -> Outcomes<Value> {
      let value = Returned<Value>.Kept()
      var explorer = explorer
      let returned = returned
      explorer.examine = { _ in
        value.value = returned.take()
        return .asUsual
      }
      let exploration = try explorer.replay(schedule)
      if let failure = exploration.failure { throw failure }
      let outcome = value.value.map {
        Outcomes.Outcome(
          value: $0, count: 1, schedule: schedule, number: 1, divergence: exploration.divergence)
      }
      return Outcomes(
        all: outcome.map { [$0] } ?? [], exploration: exploration, estimatedSchedules: nil)
    }

    /// Runs schedules that are random walks, and multiplies the choices of each.
    private func walk(_ walks: Int, _ tally: OutcomeTally<Value>) throws -> RandomWalks {
      var found = RandomWalks(exploration: Exploration(seed: explorer.seed))
      if walks == 0 { return found }
      let watch = ChoiceWatch()
      var failure: Exploration.Failure?
      let seed = Seed(rawValue: explorer.seed ^ Self.salt)
      let watching: Scheduler<RandomWalk>.Watching = { _, enabled, _, _ in
        watch.product *= Double(enabled.count)
      }
      _ = try explorer.run(RandomWalk(seed: seed), watching: watching) { run, outcome in
        found.exploration.count(run)
        guard outcome.causes.isEmpty else {
          failure = .init(
            causes: outcome.causes, schedule: run.schedule(), number: found.exploration.schedules)
          failure?.take(outcome)
          return false
        }
        tally.add(returned.take(), run)
        found.products.append(watch.product)
        watch.product = 1
        return found.products.count < walks
      }
      if let failure { throw try explorer.confirmed(failure) }
      return found
    }

    /// The walks must not go the ways of a strategy that walks, too.
    private static var salt: UInt64 { 0x57_A1_C5 }
    /// If there seem to be no more schedules than this share of those that may be run, all are run.
    private static var share: Double { 0.75 }

    /// Makes the schedule of an outcome a simple one: the exploration of a body that fails exactly
    /// if it comes to this value.
    private func simplify(_ outcome: inout Outcomes<Value>.Outcome) throws {
      let (target, returned) = (outcome.value, returned)
      var explorer = explorer
      explorer.examine = { _ in returned.take() == target ? .fails(Reached()) : .asUsual }
      let failure = Exploration.Failure(
        causes: [.error(Reached())], schedule: outcome.schedule, number: outcome.number)
      let simple = try explorer.confirmed(failure)
      (outcome.schedule, outcome.told) = (simple.schedule, simple.told)
      outcome.divergence = simple.divergence
    }

    /// The body came to the value that is looked for.
    private struct Reached: Error {}
  }

  /// What the body returned in the run that is under way, or just over. Used by the flow that has
  /// the turn, and between the runs by the explorer.
  private final class Returned<Value: Sendable>: @unchecked Sendable {
    private var value: Value?

    /// A value that outlives the runs; used between them alone.
    final class Kept: @unchecked Sendable { var value: Value? }

    func keep(_ body: @Sendable () async throws -> Value) async throws {
      let value = try await body()
      Gate.unseen { self.value = value }
    }

    func take() -> Value? {
      defer { value = nil }
      return value
    }
  }

  /// The values of an exploration so far. Used between the runs.
  private final class OutcomeTally<Value: Hashable & Sendable> {
    private struct Contents {
      var places: [Value: Int] = [:]
      var all: [Outcomes<Value>.Outcome] = []
      var forced: [Int] = []
      var number = 0
    }

    private var now = Contents()
    private var marked = Contents()

    func removeAll() { (now, marked) = (Contents(), Contents()) }
    /// Keeps what is there when the rest is made anew.
    func mark() { marked = now }
    func goBack() { now = marked }

    func add(_ value: Value?, _ run: ControlledRun) {
      now.number += 1
      guard let value else { return }
      guard let place = now.places[value] else {
        now.places[value] = now.all.count
        now.forced.append(run.recorder.forcedSwitches)
        now.all.append(
          .init(value: value, count: 1, schedule: run.schedule(), number: now.number))
        return
      }
      now.all[place].count += 1
      // Of several schedules the simplest one is kept.
      guard now.forced[place] > run.recorder.forcedSwitches else { return }
      now.forced[place] = run.recorder.forcedSwitches
      now.all[place].schedule = run.schedule()
    }

    /// The most frequent first; of equally frequent ones the one that was seen first.
    var outcomes: [Outcomes<Value>.Outcome] {
      now.all.sorted { ($1.count, $0.number) < ($0.count, $1.number) }
    }
  }

  /// Knuth's estimate: the product of the choices at the steps of a random walk is, on average, the
  /// number of all walks.
  private struct RandomWalks {
    /// The counts of the walks.
    var exploration: Exploration
    var products: [Double] = []

    var estimate: Double? {
      products.isEmpty ? nil : products.reduce(0, +) / Double(products.count)
    }
  }

  /// The product of the choices so far. Used by the flow that has the turn, and between the runs by
  /// the explorer.
  private final class ChoiceWatch {
    var product = 1.0
  }

  extension Exploration {
    /// Adds the counts of other schedules of the same body.
    fileprivate mutating func add(_ other: Exploration) {
      schedules += other.schedules
      distinct += other.distinct
      steps += other.steps
      uncontrolled += other.uncontrolled
      abandoned += other.abandoned
    }
  }

  extension Explorer {
    /// The failure after it was run again and made simple.
    func confirmed(_ failure: Exploration.Failure) throws -> Exploration.Failure {
      var result = Exploration(seed: seed)
      result.failure = failure
      try confirm(failure, in: &result)
      Outlet.shared?.settleExploration(result.failure?.detected ?? [])
      return result.failure ?? failure
    }
  }
#else
  /// Systems on which nothing is watched.
  struct OutcomeCollector<Value: Hashable & Sendable> {
    init(seed: UInt64, steps: Int, _ body: @escaping @Sendable () async throws -> Value) {}
    init(replaying schedule: Schedule, _ body: @escaping @Sendable () async throws -> Value) {}

    func collect(schedules: Int, strategy: ExplorationStrategy) throws -> Outcomes<Value> {
      throw ExplorationError.notWatched
    }

    func replay(_ schedule: Schedule) throws -> Outcomes<Value> {
      throw ExplorationError.notWatched
    }
  }
#endif
