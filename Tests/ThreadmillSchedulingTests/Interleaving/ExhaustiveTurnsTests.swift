import Testing

@testable import ThreadmillScheduling

/// When an exhaustive schedule has a turn.
@Suite(.pureComputation) struct ExhaustiveTurnsTests {
  /// - Returns: the number of turns after schedules with these choices.
  private func turns(_ schedules: [[Int]]) -> Int {
    var turns = ExhaustiveTurns()
    for choices in schedules {
      turns.begin()
      for count in choices { turns.choose(among: count) }
      turns.ended()
    }
    return (0..<1_000).count { _ in turns.take() }
  }

  @Test func thereAreAsManyAsTheLimit() {
    #expect(turns([[2, 1, 2]]) == ExhaustiveTurns.most)
  }

  @Test func oneScheduleWithFewChoicesIsEnough() {
    #expect(turns([[1_000], [64, 2], [1_000]]) == ExhaustiveTurns.most)
    #expect(turns([[1_000], [43, 3], [1_000]]) == 0)
  }

  @Test func aScheduleThatWasCutDoesNotCount() {
    var turns = ExhaustiveTurns()
    turns.begin()
    turns.choose(among: 2)
    turns.begin()
    let hasTurn = turns.take()
    #expect(!hasTurn)
  }
}
