import ThreadmillModel

/// Several strategies in turn: what one of them is blind to, another one sees.
///
/// The first eight schedules belong to ``SelectiveWalk`` and ``ReadsFromFuzzing``, which are led
/// to states that few schedules came to (``VisitedStates``): most bugs are found there. Of each
/// sixteen that follow, ``POS``, led as well, has nine, ``SelectiveWalk`` three, and ``PCT`` three:
/// it soon finds bugs that need few switches, and hardly any other. A ``Bandit`` spends the last
/// one: more of its schedules go to those of ``sharers`` that lately showed more that is new. Each
/// of them, ``POS`` without being led among them, has a least share, within which its guarantee
/// holds.
///
/// ``Exhaustive`` takes two turns of ``POS`` if the program may be small (``ExhaustiveTurns``), so
/// that it is covered. As long as no schedule had a choice, the next one belongs to it, so that a
/// program without choice is covered at once.
///
/// One of its kind is also how a strategy is used that is named at run time: a call to it costs a
/// branch, where a value of `any Strategy` would be copied or put into a box. What is known of the
/// program, every strategy shares.
package struct StrategyPortfolio: Strategy {
  /// What each strategy has of the rest, whatever it shows.
  package static let leastShare = 0.1
  private static let fading = 0.9

  private enum Member {
    case randomWalk
    case shallowPCT
    case deepPCT
    case pos
    case ledPOS
    case uniform
    case selective
    case exhaustive
    case sourceSets
    case readsFrom
  }

  /// Whose turn it is in each sixteen schedules; `nil` for those that share the rest.
  private static let turns: [Member?] = [
    .ledPOS, .ledPOS, .selective, .deepPCT, .ledPOS, .exhaustive, .ledPOS, .shallowPCT,
    .ledPOS, .ledPOS, .selective, .deepPCT, .ledPOS, .exhaustive, .selective, nil,
  ]
  /// Whose turn it is in the first schedules: bugs that need few are found soonest by these.
  private static let openingTurns: [Member?] = [
    .selective, .selective, .readsFrom, .readsFrom, .selective, .selective, .readsFrom,
    .selective,
  ]

  /// Those that share the rest, in the order in which they are first tried.
  private static let sharers: [Member] = [
    .pos, .shallowPCT, .deepPCT, .randomWalk, .uniform, .readsFrom,
  ]

  /// The only one; `nil` for a portfolio.
  private let named: Member?
  private var current = Member.pos
  /// The steps of this schedule, as ``PCT`` counts them.
  private var steps = 0

  private var randomWalk: RandomWalk
  private var shallowPCT: PCT
  private var deepPCT: PCT
  private var pos: POS
  private var uniform: UniformRandomWalk
  private var selective: SelectiveWalk
  private var exhaustive: Exhaustive
  private var sourceSets = SourceSets()
  /// Whether ``SourceSets`` takes the place of ``Exhaustive``, where that is named.
  private let isReduced: Bool
  private var readsFrom: ReadsFromFuzzing

  private var points = SharedPoints()
  /// Whether claims look at the state after each step.
  private var isWatched = false
  private var known = ReadsFrom()
  private var visited: VisitedStates
  private var bandit = Bandit(
    arms: Self.sharers.count, leastShare: Self.leastShare, fading: Self.fading)
  /// The one of ``sharers`` that has this schedule; `nil` if none of them has.
  private var sharer: Int?
  private var chance: Chance
  private var stores: StoreChoice
  /// `nil` if the exploration is not led to lines of the program.
  private var meeting: Meeting?
  private var exhaustiveTurns = ExhaustiveTurns()
  /// Whether any schedule could have gone otherwise.
  private var hasChosen = false
  /// Whether an access could have seen another store than the newest one.
  private var hasPicked = false

  /// - Parameters:
  ///   - depth: of ``PCT``, where that is named; a portfolio has a depth of 2 and one of 3.
  ///   - bound: the most forced switches that ``Exhaustive`` makes, where that is named.
  ///   - seesMemory: whether accesses to memory are steps. If so, ``SourceSets`` takes the place of
  ///     ``Exhaustive``, if that is named and has no bound.
  ///   - lines: the number of lines that offers tell, and that the exploration is led to. What is
  ///     exhaustive is not led.
  package init(
    _ name: ExplorationStrategy, seed: Seed, depth: Int = 3, bound: Int? = nil,
    seesMemory: Bool = false, lines: Int = 0
  ) {
    named =
      switch name {
      case .randomWalk: .randomWalk
      case .pct: .deepPCT
      case .pos: .pos
      case .uniformRandomWalk: .uniform
      case .exhaustive: .exhaustive
      case .readsFrom: .readsFrom
      case .portfolio: nil
      }
    randomWalk = RandomWalk(seed: seed)
    shallowPCT = PCT(depth: 2, seed: seed)
    deepPCT = PCT(depth: named == nil ? 3 : depth, seed: seed)
    pos = POS(seed: seed)
    uniform = UniformRandomWalk(seed: seed)
    selective = SelectiveWalk(seed: seed)
    exhaustive = Exhaustive(bound: named == nil ? nil : bound)
    isReduced = named == .exhaustive && seesMemory && bound == nil
    readsFrom = ReadsFromFuzzing(seed: seed)
    visited = VisitedStates(seesMemory: seesMemory)
    chance = Chance(seed, salt: 6)
    stores = StoreChoice(seed: seed)
    meeting = lines == 0 ? nil : Meeting(lines: lines, seed: seed)
  }

  /// What is known to have been tried; a portfolio may cover everything, too, and then ends.
  /// ``Exhaustive`` sees the newest stores only.
  package var coverage: Exhaustive.Coverage {
    hasPicked ? .open : isReducing ? sourceSets.coverage : exhaustive.coverage
  }

  /// The number of classes of schedules (``SourceSets``); `nil` if another strategy is used.
  package var classes: Int? { isReducing ? sourceSets.classes : nil }

  /// If claims look at the state after each step, also the order of independent steps matters.
  private var isReducing: Bool { isReduced && !isWatched }

  /// The coverage of the schedules.
  package var shown: ExplorationCoverage { known.coverage }

  /// The schedules in which a strand stood at each line, and those in which all lines were met.
  package var meetings: (arrivals: [Int], met: Int) { (meeting?.arrivals ?? [], meeting?.met ?? 0) }

  package mutating func begin(schedule number: Int) -> Bool {
    steps = 0
    exhaustiveTurns.begin()
    points.begin()
    stores.begin(schedule: number)
    // It learns from every schedule.
    _ = uniform.begin(schedule: number)
    visited.begin()
    current = isReducing ? .sourceSets : named ?? member(for: number)
    let isReady = begin(current, schedule: number) || beginAnother(schedule: number)
    let isFree = !isExhaustive
    meeting?.begin(schedule: number, isFree: isFree)
    return isReady
  }

  /// The current strategy gave up, or knows nothing yet, which says nothing about the others.
  private mutating func beginAnother(schedule number: Int) -> Bool {
    if isExhaustive, named != nil || coverage != .open { return false }
    current = .pos
    return begin(current, schedule: number)
  }

  private mutating func begin(_ member: Member, schedule number: Int) -> Bool {
    switch member {
    case .randomWalk: randomWalk.begin(schedule: number)
    case .shallowPCT: shallowPCT.begin(schedule: number)
    case .deepPCT: deepPCT.begin(schedule: number)
    case .pos, .ledPOS: pos.begin(schedule: number)
    case .uniform: true
    case .selective: selective.begin(schedule: number, known, uniform)
    case .exhaustive: exhaustive.begin(schedule: number)
    case .sourceSets: sourceSets.begin(schedule: number)
    case .readsFrom: readsFrom.begin(schedule: number, &known)
    }
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    exhaustiveTurns.choose(among: enabled.count)
    let chosen =
      meeting == nil
      ? choose(enabled, running: running) : chooseToMeet(enabled, running: running)
    if chosen == Course.timePasses { return chosen }
    points.note(enabled[chosen], among: enabled.count)
    return chosen
  }

  /// Chooses among the strands that are not held.
  private mutating func chooseToMeet(
    _ enabled: UnsafeBufferPointer<Offer>, running: Int?
  ) -> Int {
    var chosen: Int
    if meeting?.holds(enabled) == true, let free = meeting?.free {
      if free.steps.isEmpty { return Course.timePasses }
      let running = running.flatMap { free.places.firstIndex(of: $0) }
      chosen = free.places[free.steps.withUnsafeBufferPointer { choose($0, running: running) }]
    } else {
      chosen = choose(enabled, running: running)
    }
    meeting?.take(enabled[chosen])
    return chosen
  }

  /// What is exhaustive is asked at every step: what it has tried must not depend on what was
  /// learnt.
  private mutating func choose(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    if enabled.count > 1 { hasChosen = true }
    if !isWatched, !isExhaustive, let running, points.isQuiet(enabled[running]) {
      return running
    }
    if isLed { visited.meet(enabled) }
    let chosen =
      switch current {
      case .randomWalk: randomWalk.next(enabled, running: running)
      case .shallowPCT: shallowPCT.next(enabled, running: running)
      case .deepPCT: deepPCT.next(enabled, running: running)
      case .pos: pos.next(enabled, running: running)
      case .ledPOS: pos.next(enabled, visited)
      case .uniform: uniform.draw(enabled)
      case .selective: selective.next(enabled, &uniform, visited)
      case .exhaustive: exhaustive.next(enabled, running: running)
      case .sourceSets: sourceSets.next(enabled, running: running)
      case .readsFrom: readsFrom.next(enabled, &uniform, visited)
      }
    if enabled.count > 1, enabled[chosen].operation != .yield { steps += 1 }
    if isLearning { uniform.note(enabled, chosen: chosen) }
    if isLed { visited.take(enabled[chosen], among: enabled.count) }
    return chosen
  }

  package mutating func pick(_ count: Int) -> Int {
    hasPicked = true
    return isExhaustive ? 0 : stores.pick(count)
  }

  private var isExhaustive: Bool { current == .exhaustive || current == .sourceSets }

  /// Whether the uniform walk has a use for what it learns.
  private var isLearning: Bool { named == nil || named == .uniform || named == .readsFrom }

  /// Whether the states of this schedule count. Exhaustive schedules make steps that all others
  /// leave out (``SharedPoints``), and so come to states of their own.
  private var isLed: Bool { named == .readsFrom || named == nil && !isExhaustive }

  /// Only an exploration that is led to lines lets time pass.
  package var mayLetTimePass: Bool {
    get { meeting?.mayLetTimePass ?? false }
    set { meeting?.mayLetTimePass = newValue }
  }

  package mutating func stateIsWatched() { isWatched = true }
  package var asksForWaiting: Bool { isReducing }
  package mutating func left(waiting: [Offer]) { sourceSets.left(waiting: waiting) }

  package mutating func ended(_ outcome: ScheduleOutcome) {
    meeting?.ended()
    points.learn()
    let new = known.learn(points)
    switch current {
    case .randomWalk: randomWalk.ended(outcome)
    case .shallowPCT: shallowPCT.ended(outcome)
    case .deepPCT: deepPCT.ended(outcome)
    case .pos, .ledPOS: pos.ended(outcome)
    case .uniform, .selective: break
    case .exhaustive: exhaustive.ended(outcome)
    case .sourceSets: sourceSets.ended(outcome)
    case .readsFrom: readsFrom.ended(new: new)
    }
    if isLearning { uniform.ended(outcome) }
    guard named == nil else { return }
    selective.ended(outcome, points, known, uniform)
    if let sharer { bandit.reward(sharer, gain: Double(new), cost: 1) }
    if outcome == .cut { return }
    exhaustiveTurns.ended()
    if current != .shallowPCT { shallowPCT.learn(steps: steps) }
    if current != .deepPCT { deepPCT.learn(steps: steps) }
  }

  private mutating func member(for number: Int) -> Member {
    sharer = nil
    if number > 0, !hasChosen { return .exhaustive }
    let turns = number < Self.openingTurns.count ? Self.openingTurns : Self.turns
    if let member = turns[number % turns.count] {
      if member != .exhaustive { return member }
      return !hasPicked && exhaustiveTurns.take() ? .exhaustive : .ledPOS
    }
    chance.begin(schedule: number)
    let arm = bandit.next(chance.fraction())
    sharer = arm
    return Self.sharers[arm]
  }
}
