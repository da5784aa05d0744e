import Testing
import ThreadmillMachine
import ThreadmillModel
import ThreadmillPlanning
import ThreadmillScheduling

@Suite struct ShrinkingTests {
  private static let textbook: [Program] = [
    .abba, .lostUpdate(), .lostUpdate(padding: 3), .checkThenAct, .reentrancy, .twoLockedCalls,
    .aba, .workStealing, .twoStage,
  ]

  /// A schedule that fails, and how.
  private func failing(_ program: Program, _ seed: UInt64) throws -> (Schedule, Machine.End) {
    let strategy = StrategyPortfolio(.randomWalk, seed: Seed(rawValue: seed))
    var exploration = Exploration(program, strategy)
    let first = exploration.firstFailure(within: 10_000)
    let failure = try #require(first)
    return (failure.schedule, failure.end)
  }

  private func shrink(
    _ schedule: Schedule, of program: Program, to end: Machine.End, limit: Int = 1_000
  ) -> Shrinking.Result {
    Shrinking.shrink(schedule, limit: limit) { plan in
      var exploration = Exploration(program, Steered(plan))
      return exploration.next() == end ? exploration.recorder : nil
    }
  }

  /// The fewest forced switches with which a program fails, by the exhaustive search.
  private func fewest(_ program: Program) throws -> Int {
    var exploration = Exploration(program, Exhaustive())
    let first = exploration.firstFailure(within: 1_000_000)
    _ = try #require(first)
    return exploration.strategy.level
  }

  @Test(arguments: textbook)
  func theTextbooksNeedAtMostTwoForcedSwitches(program: Program) throws {
    let fewest = try fewest(program)
    #expect(fewest <= 2)
    for seed in 0..<20 {
      let (schedule, end) = try failing(program, UInt64(seed))
      let result = shrink(schedule, of: program, to: end)
      #expect(result.schedule.forcedSwitches == fewest, "\(program.name), seed \(seed)")
      #expect(result.runs <= 1_000 && !result.isCutShort)
      // What comes out is what was run, and fails.
      var again = Exploration(program, Replay(result.schedule))
      #expect(again.next() == end)
      #expect(again.strategy.divergence == nil)
    }
  }

  /// What is left after the forced switches is made simple, too: a switch that nobody needs goes.
  @Test func aSwitchThatIsNotForcedGoes() {
    let long = run([(0, 2), (1, 1), (0, 1), (2, 1)])
    let short = run([(0, 2), (1, 2), (2, 1)])
    let result = Shrinking.shrink(long.schedule) { plan in
      guard plan.forcedSwitches == 1 else { return nil }
      return plan.switches.contains { $0.from == 1 && $0.to == 0 } ? long : short
    }
    #expect(result.schedule == short.schedule)
    #expect(!result.isCutShort)
  }

  /// Strand 0 waits after its first step; nobody has to be interrupted if strand 2 goes on then.
  @Test func anotherOneGoesOnWhereOneWaits() {
    var long = ScheduleRecorder()
    for (strand, isForced) in [(0, false), (1, false), (2, true), (2, false), (1, false)] {
      long.append(Offer(strand: UInt32(strand), .write), isForced: isForced)
    }
    let short = run([(0, 1), (2, 2), (1, 2)], forced: nil)
    let result = Shrinking.shrink(long.schedule) { plan in
      plan.forcedSwitches == 0 && plan.switches.contains { $0.from == 0 && $0.to == 2 }
        ? short : nil
    }
    #expect(result.schedule == short.schedule)
    #expect(!result.isCutShort)
  }

  /// What needs one old store, and not the oldest, keeps that one.
  @Test func accessesSeeTheNewestStoresThatStillFail() {
    func run(_ plan: SwitchPlan) -> ScheduleRecorder {
      var recorder = ScheduleRecorder()
      for number in 1...6 {
        recorder.append(Offer(strand: 0, .read), isForced: false)
        if let pick = plan.picks.first(where: { $0.after == number }) { recorder.pick(pick.choice) }
      }
      return recorder
    }
    func pick(_ number: Int, _ choice: Int) -> SwitchPlan.Pick {
      .init(strand: 0, after: number, choice: choice)
    }
    let long = run(SwitchPlan(picks: [pick(1, 3), pick(2, 1), pick(4, 5), pick(6, 2)]))
    let result = Shrinking.shrink(long.schedule) { plan in
      plan.picks.contains { $0.after == 4 && $0.choice >= 2 } ? run(plan) : nil
    }
    #expect(result.schedule == run(SwitchPlan(picks: [pick(4, 2)])).schedule)
    #expect(!result.isCutShort)
  }

  /// A forced switch that comes at another moment may need fewer others.
  @Test(arguments: [1, 2, 4, 5]) func aForcedSwitchMoves(to after: Int) {
    let long = run([(0, 3), (1, 1), (0, 1), (2, 1), (0, 2)])
    let short = run([(0, 3), (1, 1), (0, 3), (2, 1)])
    let result = Shrinking.shrink(long.schedule) { plan in
      guard plan.forcedSwitches == 1, let forced = plan.switches.first(where: \.isForced) else {
        return nil
      }
      return forced.after == after ? short : long
    }
    #expect(result.schedule == (after <= 4 ? short : long).schedule)
  }

  /// Turns as strands and lengths, of which the one at `forced` takes the turn from another one.
  private func run(
    _ turns: [(strand: UInt32, length: Int)], forced: Int? = 1
  ) -> ScheduleRecorder {
    var recorder = ScheduleRecorder()
    for (index, turn) in turns.enumerated() {
      for _ in 0..<turn.length {
        recorder.append(Offer(strand: turn.strand, .write), isForced: index == forced)
      }
    }
    return recorder
  }

  @Test func theSameComesToTheSame() throws {
    let program = Program.reorder(setters: 6)
    let failures = try (0..<20).map { try failing(program, $0) }
    let (schedule, end) = try #require(
      failures.max { $0.0.forcedSwitches < $1.0.forcedSwitches })
    let results = [schedule, schedule].map { shrink($0, of: program, to: end) }
    #expect(results[0] == results[1])
    #expect(results[0].schedule.forcedSwitches < schedule.forcedSwitches)
  }

  /// Leaving out takes so many runs for dozens of switches; trying others in their place would
  /// take thousands.
  @Test func manySwitchesAreLeftOutSoon() throws {
    let program = Program.lostUpdate(padding: 20)
    let (schedule, end) = try failing(program, 1)
    #expect(schedule.forcedSwitches > 20)
    #expect(shrink(schedule, of: program, to: end, limit: 100).schedule.forcedSwitches <= 2)
  }

  @Test func theLimitIsKept() throws {
    let (schedule, end) = try failing(.boundedBuffer, 5)
    var runs = 0
    let result = Shrinking.shrink(schedule, limit: 5) { _ in
      runs += 1
      return nil
    }
    #expect(runs == 5)
    #expect(result.schedule == schedule && result.runs == 5 && result.isCutShort)
    #expect(shrink(schedule, of: .boundedBuffer, to: end, limit: 0).schedule == schedule)
  }

  /// At the limit, shrinking ends: it does not go on to form plans that are not run. A program with
  /// many threads has hundreds of millions of them.
  @Test func noPlansAreFormedBehindTheLimit() {
    var recorder = ScheduleRecorder()
    for round in 0..<10 {
      for strand in 0..<6 as Range<UInt32> {
        recorder.append(Offer(strand: strand, .write, object: 1), isForced: round % 2 == 1)
      }
    }
    let plan = SwitchPlan(recorder.schedule)
    let result = Shrinking.shrink(recorder.schedule, limit: 1_000) { $0 == plan ? recorder : nil }
    #expect(result.schedule == recorder.schedule)
    #expect(result.runs == 1_000 && result.isCutShort)
    #expect(result.plans < 5_000)
  }

  /// Where no other way fails, it stays as it was, in few runs.
  @Test func whatCannotBeSimplerStays() throws {
    var exploration = Exploration(.independent(4, 4), RandomWalk(seed: Seed(rawValue: 8)))
    repeat { _ = exploration.next() } while exploration.recorder.forcedSwitches < 3
    let order = exploration.order
    let schedule = exploration.recorder.schedule
    let result = Shrinking.shrink(schedule) { plan in
      var again = Exploration(.independent(4, 4), Steered(plan))
      return again.next() != nil && again.order == order ? again.recorder : nil
    }
    #expect(result.schedule == schedule)
    #expect(result.runs < 200)
  }

  /// Two switches that only do something together, and one elsewhere that does it alone.
  @Test func oneTakesThePlaceOfTwo() {
    let result = shrink(
      .independent(3, 3), [(0, 1), (1, 1), (0, 2), (1, 2)], or: [0, 0, 1, 1, 1, 0])
    #expect(result.schedule.turns.map(\.length) == [2, 3, 1])
    #expect(result.schedule.forcedSwitches == 1)
  }

  /// Four that are all needed, and two elsewhere that do it alone.
  @Test func twoElsewhereTakeThePlaceOfMany() {
    let result = shrink(
      .lostUpdate(padding: 2), [(0, 1), (1, 1), (0, 1), (1, 1), (0, 4), (1, 4)],
      or: [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
    #expect(result.schedule.turns.map(\.length) == [3, 3, 3, 3])
    #expect(result.schedule.forcedSwitches == 2)
  }

  /// Makes simple what fails with these turns, all forced but the first and the last, and in one
  /// other order.
  private func shrink(
    _ program: Program, _ turns: [(strand: UInt32, length: Int)], or other: [UInt32]
  ) -> Shrinking.Result {
    let turns = turns.enumerated().map { index, turn in
      Schedule.Turn(
        strand: turn.strand, length: turn.length, isForced: index > 0 && index < turns.count - 1)
    }
    var first = Exploration(
      program, Steered(SwitchPlan(Schedule(turns: turns, steps: offers(turns)))))
    _ = first.next()
    #expect(first.recorder.schedule.turns == turns)
    let wanted: Set<[UInt32]> = [first.order, other]
    return Shrinking.shrink(first.recorder.schedule) { plan in
      var again = Exploration(program, Steered(plan))
      _ = again.next()
      return wanted.contains(again.order) ? again.recorder : nil
    }
  }

  private func offers(_ turns: [Schedule.Turn]) -> [Offer] {
    turns.flatMap { turn in (0..<turn.length).map { _ in Offer(strand: turn.strand, .write) } }
  }
}
