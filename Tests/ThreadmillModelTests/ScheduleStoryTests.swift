import Testing

@testable import ThreadmillModel

@Suite struct ScheduleStoryTests {
  private func schedule(_ lengths: Int...) -> Schedule {
    let turns = lengths.enumerated().map { index, length in
      Schedule.Turn(strand: UInt32(index % 2), length: length, isForced: index > 0)
    }
    let steps = turns.flatMap { turn in
      (0..<turn.length).map { _ in Offer(strand: turn.strand, .lock, object: 1) }
    }
    return Schedule(turns: turns, steps: steps)
  }

  @Test func shortTurnsAreToldInFull() {
    #expect(StoryPlan(schedule(3, 7, 1)).steps == Array(0..<11))
  }

  @Test func ofALongTurnItsEndsAreTold() {
    #expect(StoryPlan(schedule(2, 8, 1)).steps == [0, 1, 2, 3, 4, 7, 8, 9, 10])
  }

  @Test func ofManyTurnsTheFirstAndTheLastAreTold() {
    let plan = StoryPlan(
      Schedule(
        turns: (0..<500).map { .init(strand: UInt32($0 % 2), length: 1, isForced: $0 > 0) },
        steps: (0..<500).map { Offer(strand: UInt32($0 % 2), .point) }))
    #expect(plan.steps == Array(0..<StoryPlan.first) + Array((500 - StoryPlan.last)..<500))
  }

  @Test func whatMayBeEndlessIsToldAtItsEnd() {
    let plan = StoryPlan(schedule(1, StoryPlan.long - 1))
    let tail = (StoryPlan.long - StoryPlan.last)..<StoryPlan.long
    #expect(plan.steps == [0, 1, 2, 3] + tail)
    let shorter = StoryPlan(schedule(1, StoryPlan.long - 2))
    #expect(shorter.steps.count == 7)
  }

  @Test func columnsWithoutAStepAreLeftOut() {
    func step(_ number: Int, _ column: Int) -> ScheduleStory.Step {
      .init(number: number, column: column, .lock, object: "mutex L1")
    }
    let story = ScheduleStory(
      columns: ["body", "block 1", "block 2", "task 1", "task 2"], steps: [step(2, 2)], total: 4,
      waits: [.init(step(5, 2), holder: 4)], schedule: "tm1:"
    ).withoutEmptyColumns
    #expect(story.columns == ["body", "block 2", "task 2"])
    #expect(story.steps == [step(2, 1)])
    #expect(story.waits == [.init(step(5, 1), holder: 2)])
  }

  @Test func habitsAreCountedMostFrequentFirst() {
    let place = Frame(address: 1, file: "/a/B.swift", line: 3)
    func step(_ number: Int, _ operation: OperationKind) -> ScheduleStory.Step {
      .init(
        number: number, column: 1, operation, object: "mutex L1",
        places: operation == .lock ? [place] : [])
    }
    var story = ScheduleStory(
      columns: ["body", "thread 1"],
      steps: [step(1, .unlock), step(2, .lock), step(3, .yield), step(4, .lock)], total: 4,
      isEndless: true, schedule: "tm1:")
    #expect(
      story.habits == [
        .init(column: 1, operation: .lock, object: "mutex L1", place: place, count: 2),
        .init(column: 1, operation: .unlock, object: "mutex L1", place: nil, count: 1),
        .init(column: 1, operation: .yield, object: "mutex L1", place: nil, count: 1),
      ])
    story.isEndless = false
    #expect(story.habits.isEmpty)
  }

  @Test(arguments: OperationKind.allCases) func operationsAreFoundByTheirNames(
    kind: OperationKind
  ) {
    #expect(OperationKind(name: kind.name) == kind)
  }
}
