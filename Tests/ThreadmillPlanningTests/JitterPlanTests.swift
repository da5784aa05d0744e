import Testing
import ThreadmillModel

@testable import ThreadmillPlanning

/// What the policies draw, as values. Everything follows from the seed, so nothing here is left to
/// chance.
@Suite struct JitterPlanTests {
  static let seed = Seed(rawValue: 20_261_122)

  static func plan(_ policy: JitterPolicy, _ seed: Seed = seed) throws -> JitterPlan {
    try #require(JitterPlan(policy, seed: seed, budget: 75))
  }

  /// How many entries of a table are of which kind.
  private struct Shares: Equatable {
    var yields = 0
    var spins = 0
    var sleeps = 0

    init(yields: Int = 0, spins: Int = 0, sleeps: Int = 0) {
      (self.yields, self.spins, self.sleeps) = (yields, spins, sleeps)
    }

    init(of table: [JitterPlan.Decision]) {
      for decision in table {
        switch decision {
        case .nothing: break
        case .yield: yields += 1
        case .spin: spins += 1
        case .sleep: sleeps += 1
        }
      }
    }
  }

  @Test func offIsNoPlan() {
    #expect(JitterPlan(.off, seed: Self.seed, budget: 75) == nil)
  }

  @Test(arguments: JitterPolicy.allCases.filter { $0 != .off })
  func theSeedIsAllThatMatters(policy: JitterPolicy) throws {
    let plan = try Self.plan(policy)
    #expect(try Self.plan(policy) == plan)
    #expect(try Self.plan(policy, Seed(rawValue: 1)) != plan)
    #expect(plan.budget == 75)
    for manner in plan.manners {
      for (_, table) in manner.decisions { #expect(table.count == JitterPlan.choices) }
    }
    for (_, table) in plan.fresh { #expect(table.count == JitterPlan.freshChoices) }
  }

  @Test func lightNeverSleeps() throws {
    let plan = try Self.plan(.light)
    #expect(plan.manners.count == 1)
    #expect(plan.fresh.isEmpty && plan.windows.isEmpty && plan.ranks.isEmpty)
    let manner = plan.manners[0]
    for point in [JitterPlan.Point.before, .after, .begin, .start, .wake] {
      let table = try #require(manner.decisions[point])
      #expect(Shares(of: table) == Shares(yields: 128, spins: 26))
      #expect(table.allSatisfy { $0.microseconds <= 16 })
    }
    #expect(manner.decisions[.spurious] == nil)
    #expect(manner.decisions[.late] == nil)
  }

  @Test func heavySleepsOnAHeavyTailedScale() throws {
    let plan = try Self.plan(.heavy)
    #expect(plan.manners.count == 1)
    let table = try #require(plan.manners[0].decisions[.before])
    #expect(Shares(of: table) == Shares(yields: 51, spins: 51, sleeps: 31))
    let sleeps = table.compactMap { decision -> Int? in
      if case .sleep(let microseconds) = decision { microseconds } else { nil }
    }
    #expect(sleeps.allSatisfy { (20...5_000).contains($0) })
    // Half of the powers of two from 20 on are below 320.
    #expect(sleeps.count { $0 < 320 } >= sleeps.count / 4)
    #expect(sleeps.contains { $0 > 1_000 })
  }

  @Test func theFirstBlocksOfAPlaceAreAlwaysHeld() throws {
    for policy in [JitterPolicy.heavy, .starve, .priority, .nearMiss, .portfolio] {
      let plan = try Self.plan(policy)
      #expect(plan.freshTimes == 4)
      let begins = try #require(plan.fresh[.begin])
      #expect(Shares(of: begins) == Shares(sleeps: JitterPlan.freshChoices))
      #expect(begins.allSatisfy { (1_000...3_000).contains($0.microseconds) })
    }
  }

  /// Half of the decisions are sleeps, of any length up to one that belongs to the plan.
  @Test func theFirstOperationsOfAPlaceAreDelayedEvenly() throws {
    for policy in [JitterPolicy.heavy, .starve, .priority, .nearMiss, .portfolio] {
      let plan = try Self.plan(policy)
      for point in [JitterPlan.Point.before, .after, .wake] {
        let table = try #require(plan.fresh[point])
        #expect(Shares(of: table) == Shares(yields: 32, sleeps: 32))
        #expect(table.allSatisfy { (0...1_600).contains($0.microseconds) })
      }
    }
  }

  /// An eighth of 400 plans holds threads at their start, another one lets them be late, and each
  /// longest delay has a fifth: all within 5 standard deviations.
  @Test func plansStartThreadsInEachWay() throws {
    var (held, late) = (0, 0)
    var longest: [Int: Int] = [:]
    for index in 0..<400 {
      let plan = try Self.plan(.heavy, .derived(from: Self.seed, index))
      if plan.holdsThreads { held += 1 }
      let start = Shares(of: try #require(plan.fresh[.start]))
      if start == Shares(yields: 32, sleeps: 32) { late += 1 }
      #expect(start == Shares(yields: 64) || !plan.holdsThreads && start.sleeps == 32)
      // All of 32 are below half of the limit in one of 2³² plans.
      let most = try #require(plan.fresh[.before]?.map(\.microseconds).max())
      let limit = try #require([100, 200, 400, 800, 1_600].first { most <= $0 })
      longest[limit, default: 0] += 1
    }
    #expect((17...83).contains(held))
    #expect((17...83).contains(late))
    #expect(longest.count == 5)
    #expect(longest.values.allSatisfy { (40...120).contains($0) })
  }

  @Test func windowsDoubleFromOneMillisecondToTwoSeconds() throws {
    let plan = try Self.plan(.starve)
    #expect(plan.manners.map(\.starves) == [true])
    let lengths = (0..<12).map { min(1_000 << $0, 2_000_000) }
    #expect(plan.windows.map(\.microseconds) == lengths + lengths + lengths + lengths)
    let begins = plan.windows.map(\.begins)
    #expect(begins == begins.sorted() && Set(begins).count == begins.count)
    #expect(try #require(begins.last) < plan.windowPeriod)
    #expect(Set(plan.windows.map(\.salt)).count == plan.windows.count)
    #expect(plan.starved == 96)
  }

  @Test func ranksDelayTheLongerTheLowerTheyAre() throws {
    let plan = try Self.plan(.priority)
    #expect(plan.manners.map(\.ranks) == [true])
    let delays = plan.ranks.map(\.microseconds)
    #expect(delays == [0, 0, 0, 0, 20, 20, 40, 40, 80, 80, 160, 160, 320, 320, 640, 640])
  }

  /// Three change points, in order, on a scale from 4 to 4,096: of 200 seeds many are short, and
  /// many long.
  @Test func changePointsAreOfEveryLength() throws {
    var changes: [Int] = []
    for index in 0..<200 {
      let plan = try Self.plan(.priority, .derived(from: Self.seed, index))
      #expect(plan.changes.count == 3)
      #expect(plan.changes == plan.changes.sorted())
      changes += plan.changes
    }
    #expect(changes.allSatisfy { (4...4_096).contains($0) })
    #expect(changes.count { $0 < 64 } > 150)
    #expect(changes.count { $0 > 256 } > 150)
  }

  @Test func thePortfolioHasAllOfThem() throws {
    let plan = try Self.plan(.portfolio)
    #expect(plan.manners.count == 5)
    #expect(plan.manners.map(\.starves) == [false, false, true, false, false])
    #expect(plan.manners.map(\.ranks) == [false, false, false, true, false])
    #expect(plan.manners.map(\.learns) == [false, false, false, false, true])
    #expect(plan.manners.allSatisfy { $0.decisions[.spurious] != nil })
    #expect(!plan.windows.isEmpty && !plan.ranks.isEmpty && !plan.changes.isEmpty)
  }
}
