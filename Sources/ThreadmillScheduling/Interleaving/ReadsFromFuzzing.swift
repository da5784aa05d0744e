import ThreadmillModel

/// Leads to pairs of steps that were not seen yet: a strand that would look at an object too early
/// is held, and so is one that would change it before the other has looked. Among those that are
/// not held ``UniformRandomWalk`` chooses, led to states that few schedules came to.
///
/// D. Wolff, Z. Shi, G. J. Duck, U. Mathur, A. Roychoudhury, "Greybox Fuzzing for Concurrency
/// Testing", ASPLOS 2024: schedules are sets of constraints on who sees whom; those that have shown
/// something new are kept and changed.
///
/// Differences:
/// * As long as there are pairs that were neither seen nor tried, each is tried once, alone.
/// * There are no constraints that a pair must not be there.
/// * If all that can go on are held, one of them passes.
struct ReadsFromFuzzing: Sendable {
  /// A pair to be reached, and how far it is.
  private struct Goal: Sendable {
    enum Stage: Sendable {
      /// The first step is awaited; the second is held.
      case first
      /// The second step is awaited; changes are held.
      case second
      /// Reached or given up.
      case over
    }

    let number: Int
    let pair: ReadsFrom.Pair
    let changers: [ReadsFrom.Event]
    var stage: Stage
    /// Of the object, once it is known.
    var object: UInt64 = 0
    /// Who made the first step.
    var strand: UInt32 = .max

    func holds(_ step: Offer, _ event: ReadsFrom.Event) -> Bool {
      switch stage {
      case .first: event == pair.second && event != pair.first
      case .second:
        object != 0
          ? step.object == object && step.writes && step.operation != .unlock
            && !isSecond(step, event)
          : event != pair.second && changers.contains(event)
      case .over: false
      }
    }

    private func isSecond(_ step: Offer, _ event: ReadsFrom.Event) -> Bool {
      event == pair.second && step.strand != strand
    }

    mutating func take(_ step: Offer, _ event: ReadsFrom.Event) {
      switch stage {
      case .first where event == pair.first:
        (stage, object, strand) = (.second, step.object, step.strand)
      case .second where isSecond(step, event) && (object == 0 || object == step.object):
        stage = .over
      default: break
      }
    }
  }

  /// So many sets of goals are kept that have shown something new.
  private static let mostKept = 256

  private var chance: Chance
  private var goals: [Goal] = []
  /// Sets of pairs, by number.
  private var kept: [[Int]] = []
  /// The steps that may be chosen now.
  private var free = FreeSteps()

  init(seed: Seed) { chance = Chance(seed, salt: 5) }

  /// - Returns: whether there is anything to lead to.
  mutating func begin(schedule number: Int, _ known: inout ReadsFrom) -> Bool {
    chance.begin(schedule: number)
    goals.removeAll(keepingCapacity: true)
    guard !known.pairs.isEmpty else { return false }
    for number in choose(known) {
      let pair = known.pairs[number].pair
      goals.append(
        Goal(
          number: number, pair: pair, changers: known.changers[pair.second] ?? [],
          stage: pair.first == 0 ? .second : .first))
      known.noteTrial(of: number)
    }
    return true
  }

  /// - Parameter uniform: chooses among those that are not held; takes no step.
  mutating func next(
    _ enabled: UnsafeBufferPointer<Offer>, _ uniform: inout UniformRandomWalk,
    _ visited: VisitedStates
  ) -> Int {
    let isOpen = enabled.count > 1 && goals.contains { $0.stage != .over }
    if isOpen {
      let goals = goals
      free.gather(enabled) { Self.isHeld($0, by: goals) }
    }
    var index: Int
    if isOpen && !free.steps.isEmpty {
      index = free.places[free.steps.withUnsafeBufferPointer { uniform.draw($0, visited) }]
    } else {
      index = uniform.draw(enabled, visited)
      if isOpen { pass(enabled[index]) }
    }
    take(enabled[index])
    return index
  }

  mutating func ended(new: Int) {
    guard new > 0, !goals.isEmpty else { return }
    let set = goals.map(\.number)
    if kept.count < Self.mostKept {
      kept.append(set)
    } else {
      kept[chance.below(kept.count)] = set
    }
  }

  private mutating func take(_ step: Offer) {
    let event = ReadsFrom.event(of: step)
    for index in goals.indices { goals[index].take(step, event) }
  }

  /// All are held, and one passes. If it changes what another one was to look at before, that goal
  /// is given up.
  private mutating func pass(_ step: Offer) {
    let event = ReadsFrom.event(of: step)
    for goal in goals.indices where goals[goal].stage == .second && goals[goal].holds(step, event) {
      goals[goal].stage = .over
    }
  }

  private static func isHeld(_ step: Offer, by goals: [Goal]) -> Bool {
    if step.object == 0 { return false }
    let event = ReadsFrom.event(of: step)
    for goal in goals where goal.holds(step, event) { return true }
    return false
  }

  // MARK: What to lead to

  private mutating func choose(_ known: ReadsFrom) -> [Int] {
    if let untried = untried(known) { return [untried] }
    var set: [Int] = []
    if !kept.isEmpty && chance.below(2) == 0 {
      set = kept[chance.below(kept.count)]
      if chance.below(2) == 0 { set.remove(at: chance.below(set.count)) }
    }
    for _ in 0...chance.below(3) where set.count < 4 { set.append(chance.below(known.pairs.count)) }
    return set
  }

  /// A pair that was neither seen nor tried, any one of them.
  private mutating func untried(_ known: ReadsFrom) -> Int? {
    let open = known.pairs.indices.filter {
      known.pairs[$0].seen == 0 && known.pairs[$0].tried == 0
    }
    return chance.one(of: open)
  }
}
