import Foundation
import Testing
import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling
import let ThreadmillTestSupport.isThreadSanitized

/// The seeds are fixed and the share that each strategy promises is known. A test whose count has
/// to lie within six standard deviations fails wrongly for 2 seeds of 10^9.
@Suite(.pureComputation) struct RandomStrategyTests {
  private static let seed = Seed(rawValue: 20_260_101)

  private func isLast(_ strand: UInt32, _ order: [UInt32]) -> Bool { order.last == strand }

  // MARK: Random walk

  /// One step beside nine others comes last if it loses nine draws of two.
  @Test func aRandomWalkDrawsEvenly() {
    var exploration = Exploration(.independent(4, 1), RandomWalk(seed: Self.seed))
    let count = exploration.count(of: 20_000) { $0.order.last == 1 }
    #expect(expected(1 / 16, of: 20_000).contains(count), "seed \(Self.seed): \(count)")
  }

  // MARK: Strands that begin with a yield

  /// Such a strand goes on with what another one has given up, and comes after all others. Two of
  /// them come in the order in which they appear. If one were drawn like other new strands, all
  /// schedules would be right for one seed of 2^100.
  @Test func aStrandThatBeginsWithAYieldComesLast() {
    var pct = PCT(depth: 2, seed: Self.seed)
    var pos = POS(seed: Self.seed)
    for number in 0..<100 {
      #expect(orderWithYields(&pct, schedule: number) == [2, 0, 1])
      #expect(orderWithYields(&pos, schedule: number) == [2, 0, 1])
    }
  }

  /// The order of three new strands with one step each, two of which yield.
  private func orderWithYields(_ strategy: inout some Strategy, schedule number: Int) -> [UInt32] {
    _ = strategy.begin(schedule: number)
    var offers = [Offer(strand: 0, .yield), Offer(strand: 1, .yield)]
    offers.append(Offer(strand: 2, .lock, object: 1))
    var order: [UInt32] = []
    while !offers.isEmpty {
      let chosen = offers.withUnsafeBufferPointer { strategy.next($0, running: nil) }
      order.append(offers.remove(at: chosen).strand)
    }
    return order
  }

  // MARK: PCT

  /// For a program that meets the bound exactly: the one step of the second strand has to come
  /// between two certain steps of the first, 1 / (n · k) for two strands and `k` steps.
  @Test func pctHitsDepthTwoAsOftenAsThePaperSays() {
    let steps = 10
    var exploration = Exploration(.independent(steps - 1, 1), PCT(depth: 2, seed: Self.seed))
    // The first one learns how many steps there are.
    _ = exploration.next()
    let order: [UInt32] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let count = exploration.count(of: 20_000) { $0.order == order }
    #expect(expected(1 / Double(2 * steps), of: 20_000).contains(count), "\(count)")
  }

  /// Depth 3: both changes at certain steps, at least 1 / (n · k²). By Chernoff's bound fewer than
  /// half of what is expected come for e^-25 of all seeds.
  @Test func pctHitsDepthThreeAtLeastAsOftenAsThePaperSays() {
    let (steps, runs) = (8, 25_600)
    var exploration = Exploration(.independent(4, 4), PCT(depth: 3, seed: Self.seed))
    _ = exploration.next()
    let order: [UInt32] = [0, 0, 1, 1, 0, 0, 1, 1]
    let count = exploration.count(of: runs) { $0.order == order }
    let promised = Double(runs) / Double(2 * steps * steps)
    #expect(Double(count) >= promised / 2, "\(count) of \(promised)")
  }

  /// Nobody waits: a switch takes a change, of which there is one less than the depth.
  @Test(arguments: 1...4)
  func pctForcesFewerSwitchesThanItsDepth(depth: Int) {
    var exploration = Exploration(.independent(5, 5, 5), PCT(depth: depth, seed: Self.seed))
    var seen: Set<Int> = []
    for _ in 0..<500 {
      _ = exploration.next()
      seen.insert(exploration.recorder.forcedSwitches)
    }
    #expect(seen == Set(0..<depth))
  }

  /// Each order of strands without a change, as often as any other.
  @Test func pctDrawsPrioritiesEvenly() {
    var exploration = Exploration(.independent(2, 2, 2), PCT(depth: 1, seed: Self.seed))
    var counts: [[UInt32]: Int] = [:]
    for order in exploration.orders(6_000) { counts[order, default: 0] += 1 }
    #expect(counts.count == 6)
    #expect(counts.values.allSatisfy { expected(1 / 6, of: 6_000).contains($0) }, "\(counts)")
  }

  // MARK: POS

  /// Independent steps: one comes after `m` others if its priority is the lowest of `m + 1`. The
  /// random walk takes 2^m for that.
  @Test func posDelaysOneStepBehindManyMoreOftenThanARandomWalk() {
    let others = 9
    var pos = Exploration(.independent(others, 1), POS(seed: Self.seed))
    let count = pos.count(of: 20_000) { $0.order.last == 1 }
    #expect(expected(1 / Double(others + 1), of: 20_000).contains(count), "\(count)")
    var walk = Exploration(.independent(others, 1), RandomWalk(seed: Self.seed))
    let walked = walk.count(of: 20_000) { $0.order.last == 1 }
    #expect(expected(pow(0.5, Double(others)), of: 20_000).contains(walked), "\(walked)")
  }

  /// Steps that race all draw again after each, so that all orders of them are as likely as in a
  /// random walk: 2^-m.
  @Test func posDrawsAgainForStepsThatRace() {
    let program = Program(
      "racing", cells: [0],
      strands: [Array(repeating: .write(0, 1), count: 4), [.write(0, 2)]])
    var exploration = Exploration(program, POS(seed: Self.seed))
    let count = exploration.count(of: 20_000) { $0.order.last == 1 }
    #expect(expected(1 / 16, of: 20_000).contains(count), "\(count)")
  }

  /// Reading beside reading is no race.
  @Test func posKeepsThePriorityOfReads() {
    let program = Program(
      "reading", cells: [0],
      strands: [Array(repeating: .read(0, into: 0), count: 4), [.read(0, into: 0)]])
    var exploration = Exploration(program, POS(seed: Self.seed))
    let count = exploration.count(of: 20_000) { $0.order.last == 1 }
    #expect(expected(1 / 5, of: 20_000).contains(count), "\(count)")
  }

  // MARK: Uniform random walk

  /// Pearson's statistic of how often each order came.
  private func chiSquare(_ counts: [[UInt32]: Int], orders: Int, runs: Int) -> Double {
    let mean = Double(runs) / Double(orders)
    let seen = counts.values.reduce(0) { $0 + pow(Double($1) - mean, 2) / mean }
    return seen + Double(orders - counts.count) * mean
  }

  /// What the statistic exceeds for one of 10^6 seeds if all orders are equally likely (E. B.
  /// Wilson, M. M. Hilferty, "The Distribution of Chi-Square", PNAS 1931).
  private func limit(degrees: Int) -> Double {
    let part = 2 / (9 * Double(degrees))
    return Double(degrees) * pow(1 - part + 4.753 * part.squareRoot(), 3)
  }

  @Test(arguments: [Program.independent(6, 2), .independent(1, 2, 3), .family])
  func everyOrderIsAsLikelyAsAnyOther(program: Program) {
    let orders = Enumeration(program).count
    let runs = orders * 200
    func statistic(_ strategy: some Strategy) -> Double {
      var exploration = Exploration(program, strategy)
      // The first schedule learns how many steps there are.
      _ = exploration.next()
      var counts: [[UInt32]: Int] = [:]
      for order in exploration.orders(runs) { counts[order, default: 0] += 1 }
      return chiSquare(counts, orders: orders, runs: runs)
    }
    let limit = limit(degrees: orders - 1)
    let uniform = statistic(UniformRandomWalk(seed: Self.seed))
    #expect(uniform < limit, "\(program.name), \(orders) orders, seed \(Self.seed)")
    // The same test tells a random walk from it.
    #expect(statistic(RandomWalk(seed: Self.seed)) > 10 * limit)
  }

  // MARK: All of them

  @Test(arguments: ExplorationStrategy.allCases)
  func theSeedMakesTheSchedules(name: ExplorationStrategy) {
    func orders(_ seed: UInt64) -> [[UInt32]] {
      var exploration = Exploration(
        .boundedBuffer, StrategyPortfolio(name, seed: Seed(rawValue: seed)))
      return exploration.orders(50)
    }
    #expect(orders(5) == orders(5))
    #expect((orders(5) != orders(6)) == (name != .exhaustive))
  }

  /// With other strategies between them, the schedules are others.
  @Test func strategiesWithOneSeedDoNotDrawTheSame() {
    func orders(_ name: ExplorationStrategy) -> [[UInt32]] {
      var exploration = Exploration(
        .lostUpdate(padding: 2), StrategyPortfolio(name, seed: Self.seed))
      return exploration.orders(20)
    }
    #expect(
      Set(ExplorationStrategy.allCases.map(orders)).count == ExplorationStrategy.allCases.count)
  }

  /// Whoever gives its turn up lets the others go on: nothing spins for ever.
  @Test(arguments: ExplorationStrategy.allCases)
  func aLoopThatSpinsEnds(name: ExplorationStrategy) {
    var exploration = Exploration(
      .spinning, StrategyPortfolio(name, seed: Self.seed), mostSteps: 500)
    for _ in 0..<500 where exploration.next() != .completed {
      Issue.record("\(exploration.order.count) steps")
      break
    }
  }
}
