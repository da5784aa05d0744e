import Testing
import ThreadmillModel

@testable import ThreadmillReporting

/// A table shows who takes part, and leaves out who ran alone.
@Suite struct StoryFoldingTests {
  /// The body submits blocks; each of `alone` locks and unlocks by itself, and then the last two
  /// overlap: one locks, the other one locks, and both go on.
  private func story(alone: Int, forced: Int? = nil) -> ScheduleStory {
    var steps: [ScheduleStory.Step] = []
    func add(_ column: Int, _ kinds: OperationKind...) {
      for kind in kinds {
        let isForced = kind == .begin && column == forced
        steps.append(.init(number: steps.count + 1, column: column, kind, isForced: isForced))
      }
    }
    add(0, .begin)
    for column in 1...max(1, alone) where column <= alone {
      add(0, .submit)
      add(column, .begin, .lock, .unlock)
    }
    let (one, two) = (alone + 1, alone + 2)
    add(one, .begin, .lock, .unlock)
    add(two, .begin, .lock, .unlock)
    add(one, .lock, .unlock)
    add(two, .lock, .unlock)
    return ScheduleStory(
      columns: ["body"] + (1...two).map { "block \($0)" }, steps: steps, total: steps.count,
      schedule: "tm1:abc")
  }

  private func step(_ number: Int, _ column: Int, _ action: String) -> StoryTable.Row {
    .step(number: number, column: column, action: action, isForced: false, place: nil)
  }

  @Test func whatRanAloneIsLeftOutOfAWideTable() {
    let table = StoryTable(story(alone: 30))
    #expect(table.columns == ["body", "block 31", "block 32"])
    #expect(table.bystanders == 30)
    #expect(
      table.note
        == "30 threads, blocks and tasks are left out: they ran alone, or wait at the end and keep "
        + "no other one waiting.")
    // Of the body's steps, which only bystanders interrupted, the first three and the last three.
    #expect(
      table.rows == [
        step(1, 0, "begin"), step(2, 0, "submit"), .gap(3, column: nil), step(6, 0, "submit"),
        .gap(103, column: nil), step(110, 0, "submit"), .gap(3, column: nil),
        step(114, 0, "submit"), .gap(3, column: nil), step(118, 0, "submit"),
        .gap(3, column: nil),
        step(122, 1, "begin"), step(123, 1, "lock"), step(124, 1, "unlock"),
        step(125, 2, "begin"), step(126, 2, "lock"), step(127, 2, "unlock"),
        step(128, 1, "lock"), step(129, 1, "unlock"),
        step(130, 2, "lock"), step(131, 2, "unlock"),
      ])
  }

  @Test func aTableThatFitsHasAll() {
    let narrow = story(alone: StoryFolding.mostColumns - 3)
    #expect(narrow.columns.count == StoryFolding.mostColumns)
    #expect(StoryTable(narrow).columns == narrow.columns)
    #expect(StoryTable(narrow).note == nil)
    let wide = story(alone: StoryFolding.mostColumns - 2)
    #expect(StoryTable(wide).columns.count == 3)
  }

  /// The one that took the turn, and the one that lost it.
  @Test func aForcedSwitchTakesPart() {
    var story = story(alone: 10, forced: 4)
    // Block 3 loses the turn to block 4, not the body.
    story.steps.removeAll { $0.column == 0 && $0.number > 1 }
    #expect(StoryTable(story).columns == ["body", "block 3", "block 4", "block 11", "block 12"])
  }

  /// Of those that wait at the end, the ones that keep each other waiting are the deadlock.
  @Test func whoKeepsOthersWaitingTakesPart() {
    var story = story(alone: 10, forced: 7)
    func wait(_ column: Int, for holder: Int) -> ScheduleStory.Wait {
      .init(
        .init(number: story.total + 1, column: column, .lock, object: "mutex L\(holder)"),
        holder: holder)
    }
    story.waits = [wait(11, for: 12), wait(12, for: 11), wait(7, for: 11), wait(0, for: 12)]
    let table = StoryTable(story)
    #expect(table.columns == ["body", "block 11", "block 12"])
    #expect(table.bystanders == 10)
    #expect(
      table.lines.map(\.text) == [
        "block 11 waits to lock mutex L12, which block 12 has",
        "block 12 waits to lock mutex L11, which block 11 has",
        "body waits to lock mutex L12, which block 12 has",
      ])
    // A finding names them all.
    #expect(story.ending.count == 4)
  }

  /// If none is known to have it, whoever waits may be to blame.
  @Test func whoWaitsForNobodyTakesPart() {
    var story = story(alone: 10)
    story.waits = [
      .init(.init(number: story.total + 1, column: 10, .wait, object: "semaphore L1"))
    ]
    let table = StoryTable(story)
    #expect(table.columns == ["body", "block 10", "block 11", "block 12"])
    #expect(table.lines.map(\.text) == ["block 10 waits for semaphore L1"])
  }

  /// The order in which they ran may be what is wrong.
  @Test func ifAllRanAloneAllAreShown() {
    var story = story(alone: 10)
    story.steps.removeAll { $0.column > 10 }
    #expect(StoryTable(story).columns == story.columns)
    #expect(StoryTable(story).bystanders == 0)
  }

  @Test func whoReadAnOldStoreTakesPart() throws {
    var story = story(alone: 10)
    let read = try #require(story.steps.firstIndex { $0.column == 6 })
    story.steps[read].note = "reads 0"
    #expect(StoryTable(story).columns == ["body", "block 6", "block 11", "block 12"])
  }
}
