import Testing
import ThreadmillModel
import ThreadmillScenarios

@testable import ThreadmillCommand

/// Which runs a measurement has, in which order, and what counts as a find.
@Suite struct RatePlanTests {
  private static let seed = Seed(rawValue: 7)

  private func plan(
    _ ids: [String], _ treatments: [Treatment] = Treatment.all, runs: Int
  ) throws -> RatePlan {
    RatePlan(
      scenarios: try ids.map { try #require(Scenario.named($0)) }, treatments: treatments,
      runs: runs, seed: Self.seed)
  }

  @Test func treatmentsHaveNames() {
    #expect(
      Treatment.all.map(\.name)
        == [
          "threads", "plain", "load", "light", "heavy", "starve", "priority", "near-miss",
          "portfolio",
        ])
    #expect(Treatment.all.map { Treatment(named: $0.name) } == Treatment.all)
    #expect(Treatment(named: "off") == nil)
  }

  @Test(arguments: [1, 7, 100]) func everyRunIsThereOnce(_ runs: Int) throws {
    let plan = try plan(["quiet-counter", "lazy-init"], runs: runs)
    #expect(plan.rows.count == 18)
    let all = plan.rounds.flatMap { $0.calm + $0.loaded }
    #expect(all.count == plan.rows.count * runs)
    #expect(Set(all).count == plan.rows.count * runs)
    for run in all {
      #expect(plan.rows.indices.contains(run.row) && (0..<runs).contains(run.number))
    }
  }

  @Test func whatIsBesideBusyProcessesIsApart() throws {
    let plan = try plan(["quiet-counter", "lazy-init"], runs: 10)
    for round in plan.rounds {
      #expect(round.calm.allSatisfy { plan.rows[$0.row].treatment != .load })
      #expect(round.loaded.allSatisfy { plan.rows[$0.row].treatment == .load })
      #expect(!round.calm.isEmpty && !round.loaded.isEmpty)
    }
  }

  /// Four runs of each of 18 rows make 72.
  @Test func noRowIsAheadOfAnother() throws {
    let plan = try plan(["quiet-counter", "lazy-init"], runs: 10)
    #expect(plan.rounds.map { $0.calm.count } == [64, 64, 32])
    #expect(plan.rounds.map { $0.loaded.count } == [8, 8, 4])
    let numbers = plan.rounds.flatMap(\.calm).map(\.number)
    #expect(numbers == numbers.sorted())
    let first = plan.rounds[0].calm.filter { $0.number == 0 }.map(\.row)
    let second = plan.rounds[0].calm.filter { $0.number == 1 }.map(\.row)
    #expect(first != second && Set(first) == Set(second))
  }

  @Test func whatHasNothingToTakeTurnsWithIsOneRound() throws {
    #expect(try plan(["quiet-counter"], [.plain], runs: 300).rounds.map(\.calm.count) == [300])
    #expect(try plan(["quiet-counter"], [.load], runs: 300).rounds.map(\.loaded.count) == [300])
    #expect(try plan([], runs: 3).rounds.flatMap { $0.calm + $0.loaded } == [])
  }

  /// What is run beside it does not change how a run is shaken.
  @Test func everyShakenRunHasASeedOfItsOwn() throws {
    let both = try plan(["quiet-counter", "lazy-init"], runs: 5)
    let shakings = both.rounds.flatMap(\.calm).compactMap(both.shaking)
    #expect(shakings.count == 2 * 6 * 5)
    #expect(Set(shakings.map(\.seed)).count == shakings.count)
    let alone = try plan(["lazy-init"], [.jitter(.heavy)], runs: 5)
    let own = alone.rounds.flatMap(\.calm).compactMap(alone.shaking)
    #expect(own.count == 5 && Set(own).isSubset(of: Set(shakings)))
    #expect(own[0].options == "jitter=heavy seed=\(own[0].seed)")
    let unshaken = try plan(["lazy-init"], [.plain, .load], runs: 1)
    #expect(unshaken.rounds.flatMap { $0.calm + $0.loaded }.compactMap(unshaken.shaking) == [])
  }

  /// All that is required, one of what may be found, or the harm that a shaken schedule leads to.
  @Test(
    arguments: [
      ("lazy-init", .plain, ["dataRace"], true), ("lazy-init", .plain, [], false),
      ("lazy-init", .plain, ["hang"], false),
      ("quiet-counter", .plain, ["dataRace"], true), ("quiet-counter", .plain, [], false),
      ("quiet-counter", .jitter(.light), ["dataRace"], true),
      ("broken-confinement", .load, ["confinementViolation"], false),
      ("broken-confinement", .load, ["confinementViolation", "dataRace"], true),
      ("hammer-and-saw", .jitter(.heavy), ["lockOrderCycle"], true),
      ("hammer-and-saw", .jitter(.heavy), ["deadlock"], true),
      ("hammer-and-saw", .plain, ["deadlock"], false),
    ] as [(String, Treatment, Set<String>, Bool)])
  func aFindIsWhatThereWasToFind(
    _ id: String, _ treatment: Treatment, _ kinds: Set<String>, _ isDetected: Bool
  ) throws {
    let row = try #require(plan([id], [treatment], runs: 1).rows.first)
    #expect(row.trial.isDetected(kinds) == isDetected)
  }

  /// Only of the default policy, and only where something has to be found.
  @Test func whatIsWantedIsWantedOfTheDefault() throws {
    let rows = try plan(["quiet-counter", "lazy-init", "lost-wakeup"], runs: 1).rows
    let wanting = rows.filter { $0.wanted != nil }
    #expect(wanting.map(\.trial.scenario.id) == ["quiet-counter", "lazy-init"])
    #expect(wanting.map(\.treatment) == [.jitter(.portfolio), .jitter(.portfolio)])
    #expect(wanting.map(\.wanted) == [0.99, 0.99])
  }
}
