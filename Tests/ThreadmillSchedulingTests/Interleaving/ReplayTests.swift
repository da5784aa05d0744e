import Testing
import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling

@Suite struct ReplayTests {
  /// A schedule of each of some seeds.
  private func schedules(
    _ program: Program, _ count: Int
  ) -> [(schedule: Schedule, steps: [Offer], end: Machine.End?)] {
    var exploration = Exploration(
      program, StrategyPortfolio(.randomWalk, seed: Seed(rawValue: 3)), mostSteps: 300)
    return (0..<count).map { _ in
      let end = exploration.next()
      return (exploration.recorder.schedule, exploration.recorder.steps, end)
    }
  }

  @Test(arguments: Program.benchmarks + [.family, .spinning, .checkThenAct, .reentrancy])
  func aScheduleIsRunAgainAsItWas(program: Program) throws {
    for (schedule, steps, end) in schedules(program, 30) {
      let read = try Schedule(parsing: schedule.description)
      var again = Exploration(program, Replay(read), mostSteps: 300)
      #expect(again.next() == end)
      #expect(again.recorder.steps == steps)
      #expect(again.recorder.schedule == schedule)
      #expect(again.strategy.divergence == nil)
    }
  }

  /// What a plan was made from is what it leads to.
  @Test(arguments: Program.benchmarks + [.family, .spinning, .checkThenAct, .reentrancy])
  func thePlanOfAScheduleLeadsToIt(program: Program) {
    for (schedule, _, end) in schedules(program, 30) {
      var again = Exploration(program, Steered(SwitchPlan(schedule)), mostSteps: 300)
      #expect(again.next() == end)
      #expect(again.recorder.schedule == schedule)
    }
  }

  /// A program of two strands, with something else as one of the first one's steps.
  private func program(_ length: Int, with other: Instruction? = nil, at step: Int = 0) -> Program {
    var first: [Instruction] = Array(repeating: .write(0, 1), count: length)
    if let other { first[step] = other }
    return Program(
      "altered", cells: [0, 0, 0], semaphores: [0],
      strands: [first, Array(repeating: .write(1, 1), count: length)])
  }

  private func replay(
    _ order: [Schedule.Turn], of program: Program, on other: Program
  ) throws -> Divergence? {
    let switches = SwitchPlan(Schedule(turns: order, steps: order.flatMap(steps)))
    var original = Exploration(program, Steered(switches))
    #expect(original.next() != nil)
    #expect(original.recorder.schedule.turns == order)
    var again = Exploration(other, Replay(original.recorder.schedule))
    _ = again.next()
    return again.strategy.divergence
  }

  private func steps(_ turn: Schedule.Turn) -> [Offer] {
    Array(repeating: Offer(strand: turn.strand, .write, object: 1), count: turn.length)
  }

  private let order: [Schedule.Turn] = [
    .init(strand: 0, length: 2), .init(strand: 1, length: 3, isForced: true),
    .init(strand: 0, length: 2, isForced: true), .init(strand: 1, length: 1),
  ]

  @Test func anotherOperationIsFoundWhereItIs() throws {
    // The first strand's third step is the sixth of all.
    let other = program(4, with: .read(0, into: 0), at: 2)
    let divergence = try replay(order, of: program(4), on: other)
    let found = Offer(strand: 0, .read, object: 1, writes: false)
    #expect(
      divergence
        == Divergence(.otherOperation, steps: 5...5, strand: 0, operation: .write, found: [found]))
    #expect(
      divergence?.description == "step 6: expected strand 0 write; there was strand 0 read")
  }

  /// Of memory that is given back and taken again, chance decides whether it is the same.
  @Test func anotherObjectIsNoDifference() throws {
    let other = program(4, with: .write(1, 1), at: 3)
    #expect(try replay(order, of: program(4), on: other) == nil)
  }

  @Test func aStrandThatIsNotReadyIsFoundWhereItIs() throws {
    let divergence = try replay(order, of: program(4), on: program(4, with: .wait(0), at: 2))
    let found = Offer(strand: 1, .write, object: 2)
    #expect(
      divergence
        == Divergence(.strandNotReady, steps: 5...5, strand: 0, operation: .write, found: [found]))
    #expect(
      divergence?.description
        == "step 6: expected strand 0 write, which is not ready; ready: strand 1 write")
  }

  @Test func aProgramThatGoesOnIsFound() throws {
    let divergence = try replay(order, of: program(4), on: program(5))
    // The turn of the second strand comes while the first one still could go on, which is no
    // difference; the end is.
    #expect(divergence?.kind == .wentOn)
    #expect(divergence?.steps == 8...8)
    #expect(divergence?.found.map(\.strand) == [0, 1])
  }

  @Test func aProgramThatEndsEarlyIsFound() throws {
    var long = Exploration(.independent(5), RandomWalk(seed: Seed(rawValue: 1)))
    _ = long.next()
    var again = Exploration(.independent(3), Replay(long.recorder.schedule))
    #expect(again.next() == .completed)
    #expect(
      again.strategy.divergence
        == Divergence(.endedEarly, steps: 3...3, strand: 0, operation: .write))
    #expect(
      again.strategy.divergence?.description
        == "step 4: the program is at its end; expected strand 0 write")
  }

  /// Long schedules check several steps at a time.
  @Test(arguments: [0, 1, 150, 399])
  func aLongScheduleNarrowsItDown(step: Int) throws {
    let order: [Schedule.Turn] = [
      .init(strand: 0, length: 400), .init(strand: 1, length: 400),
    ]
    let other = program(400, with: .read(0, into: 0), at: step)
    let divergence = try replay(order, of: program(400), on: other)
    #expect(divergence?.kind == .otherOperation)
    #expect(divergence?.steps.contains(step) == true)
    #expect(divergence?.steps.count == 16)
    #expect(divergence?.operation == nil)
  }
}
