import ThreadmillModel

/// Several strategies in turn: what one of them is blind to, another one sees.
///
/// One of its kind is also how a strategy is used that is named at run time: a call to it costs a
/// branch, where a value of `any Strategy` would be copied or put into a box.
package struct StrategyPortfolio: Strategy {
  /// Of a portfolio's schedules the first ones are as good for ``Exhaustive`` as for the others:
  /// most bugs need no more than one forced switch, and many programs have few schedules.
  package static let exhaustiveSchedules = 128

  private enum Member {
    case randomWalk
    case shallowPCT
    case deepPCT
    case pos
    case uniform
    case exhaustive
  }

  private let rotation: [Member]
  private let isMixed: Bool
  private var current: Member
  private var steps = 0

  private var randomWalk: RandomWalk
  private var shallowPCT: PCT
  private var deepPCT: PCT
  private var pos: POS
  private var uniform: UniformRandomWalk
  private var exhaustive: Exhaustive

  /// - Parameters:
  ///   - depth: of ``PCT``, where that is named; a portfolio has a depth of 2 and one of 3.
  ///   - bound: the most forced switches that ``Exhaustive`` makes, where that is named.
  package init(_ name: ExplorationStrategy, seed: Seed, depth: Int = 3, bound: Int? = nil) {
    isMixed = name == .portfolio
    rotation =
      switch name {
      case .randomWalk: [.randomWalk]
      case .pct: [.deepPCT]
      case .pos: [.pos]
      case .uniformRandomWalk: [.uniform]
      case .exhaustive: [.exhaustive]
      case .portfolio: [.pos, .uniform, .shallowPCT, .randomWalk, .uniform, .pos, .deepPCT]
      }
    current = rotation[0]
    randomWalk = RandomWalk(seed: seed)
    shallowPCT = PCT(depth: 2, seed: seed)
    deepPCT = PCT(depth: isMixed ? 3 : depth, seed: seed)
    pos = POS(seed: seed)
    uniform = UniformRandomWalk(seed: seed)
    exhaustive = Exhaustive(bound: isMixed ? nil : bound)
  }

  /// What is known to have been tried; a portfolio may cover everything, too, and then ends.
  package var coverage: Exhaustive.Coverage { exhaustive.coverage }

  package mutating func begin(schedule number: Int) -> Bool {
    steps = 0
    current = member(for: number)
    switch current {
    case .randomWalk: return randomWalk.begin(schedule: number)
    case .shallowPCT: return shallowPCT.begin(schedule: number)
    case .deepPCT: return deepPCT.begin(schedule: number)
    case .pos: return pos.begin(schedule: number)
    case .uniform: return uniform.begin(schedule: number)
    case .exhaustive:
      if exhaustive.begin(schedule: number) { return true }
      guard isMixed, exhaustive.coverage == .open else { return false }
      // It gave up, which says nothing about the others.
      current = .pos
      return pos.begin(schedule: number)
    }
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    steps += 1
    return switch current {
    case .randomWalk: randomWalk.next(enabled, running: running)
    case .shallowPCT: shallowPCT.next(enabled, running: running)
    case .deepPCT: deepPCT.next(enabled, running: running)
    case .pos: pos.next(enabled, running: running)
    case .uniform: uniform.next(enabled, running: running)
    case .exhaustive: exhaustive.next(enabled, running: running)
    }
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {
    switch current {
    case .randomWalk: randomWalk.ended(outcome)
    case .shallowPCT: shallowPCT.ended(outcome)
    case .deepPCT: deepPCT.ended(outcome)
    case .pos: pos.ended(outcome)
    case .uniform: uniform.ended(outcome)
    case .exhaustive: exhaustive.ended(outcome)
    }
    if isMixed {
      shallowPCT.learn(steps: steps)
      deepPCT.learn(steps: steps)
    }
  }

  /// Every third schedule belongs to ``Exhaustive`` until it has had its part, and the others share
  /// the rest.
  private func member(for number: Int) -> Member {
    guard isMixed else { return rotation[0] }
    let early = 3 * Self.exhaustiveSchedules
    if number < early, number.isMultiple(of: 3) { return .exhaustive }
    let others = number < early ? number - 1 - number / 3 : number - Self.exhaustiveSchedules
    return rotation[others % rotation.count]
  }
}
