import Testing

@testable import ThreadmillModel

/// What an exploration says of what it has covered.
@Suite struct ExplorationCoverageTests {
  @Test func estimatesAreArithmetic() {
    let coverage = ExplorationCoverage(
      schedules: 100, readsFromPairs: 30, handOvers: 10, seenOnce: 4, seenTwice: 2, lastNew: 90)
    #expect(coverage.newPairsPerSchedule == 0.04)
    // 99/100 · 4 · 3 / (2 · 3)
    #expect(abs(coverage.unseenPairs - 1.98) < 1e-12)
    #expect(ExplorationCoverage().newPairsPerSchedule == 0)
    #expect(ExplorationCoverage().unseenPairs == 0)
  }

  /// Of 1,000 pairs each is in a schedule with a probability of its own; the estimates are held
  /// against what is truly left. With the fixed seed nothing is up to chance; over seeds, either
  /// estimate is off by more than a third with a probability below 1 in 1,000.
  @Test func estimatesComeCloseToWhatIsLeft() {
    var chance = SplitMix64(seed: Seed(rawValue: 5))
    let rates = (0..<1_000).map { 0.2 / Double(1 + $0) }
    var seen = Array(repeating: 0, count: rates.count)
    let schedules = 300
    for _ in 0..<schedules {
      for (pair, rate) in rates.enumerated()
      where Double(chance.next() >> 11) * 0x1p-53 < rate { seen[pair] += 1 }
    }
    let coverage = ExplorationCoverage(
      schedules: schedules, readsFromPairs: seen.count { $0 > 0 },
      seenOnce: seen.count { $0 == 1 }, seenTwice: seen.count { $0 == 2 }, lastNew: schedules)
    let rest = zip(rates, seen).filter { $1 == 0 }.map(\.0)
    let truth = rest.reduce(0, +)
    #expect(abs(coverage.newPairsPerSchedule - truth) < truth / 3)
    // A lower bound: most of what is left is too rare to be told.
    #expect(coverage.unseenPairs > 0 && coverage.unseenPairs <= Double(rest.count))
  }

  @Test func itIsToldInOneLine() {
    var coverage = ExplorationCoverage(
      schedules: 1_000, readsFromPairs: 24, handOvers: 1, seenOnce: 2, seenTwice: 3, lastNew: 81)
    #expect(
      "\(coverage)"
        == "24 reads-from pairs and 1 hand-over seen in 1000 schedules, the last new one in schedule "
        + "81; about one of 500 further schedules shows a new one, and 1 or more are left")
    coverage.schedules = 2
    #expect("\(coverage)".contains("; almost every further schedule shows a new one, and"))
    coverage.seenOnce = 0
    #expect("\(coverage)".hasSuffix("81; further schedules are unlikely to show new ones"))
    coverage.isCut = true
    #expect("\(coverage)".hasPrefix("at least 24 reads-from pairs"))
    #expect(
      "\(ExplorationCoverage(schedules: 1))"
        == "0 reads-from pairs and 0 hand-overs seen in 1 schedule")
  }

  @Test func linesAreTold() {
    func meeting(_ lines: [(String, Int)], met: Int) -> String? {
      ExplorationCoverage(
        schedules: 9, lines: lines.map { .init(place: $0.0, schedules: $0.1) }, met: met
      ).meeting
    }
    #expect(meeting([], met: 0) == nil)
    #expect(
      meeting([("a.c:1", 9), ("b.c:2", 8), ("b.c:3", 8)], met: 3)
        == "threads were at a.c:1, b.c:2 and b.c:3 at the same time in 3 schedules")
    #expect(
      meeting([("a.c:1", 9), ("b.c:2", 1)], met: 0)
        == "threads were at a.c:1 and b.c:2, but never at the same time")
    #expect(
      meeting([("a.c:1", 9)], met: 1)
        == "two threads were at a.c:1 at the same time in 1 schedule")
    #expect(
      meeting([("a.c:1", 0), ("b.c:2", 9), ("c.c:3", 0)], met: 0)
        == "no thread came to a.c:1 and c.c:3")
  }

  /// In any order, in any grouping, and however often one comes.
  @Test func theLongestExplorationOfATestCounts() {
    let short = ExploredTest("a", ExplorationCoverage(schedules: 10), isComplete: false)
    let long = ExploredTest("a", ExplorationCoverage(schedules: 90), isComplete: false)
    let whole = ExploredTest("a", ExplorationCoverage(schedules: 20), isComplete: true)
    let other = ExploredTest("b", ExplorationCoverage(schedules: 1), isComplete: false)
    #expect(ExploredTest.merged([other, short, long, short]) == [long, other])
    #expect(ExploredTest.merged([long, whole]) == [whole])
    for tests in [[short, long, whole], [whole, long, short], [long, whole, short, long]] {
      #expect(ExploredTest.merged(tests) == [whole])
    }
  }
}
