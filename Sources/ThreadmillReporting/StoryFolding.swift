import ThreadmillModel

/// The steps of a story that its table tells.
///
/// A table with many columns is wider than a screen, so it leaves bystanders out. There are two
/// kinds of these threads, blocks and tasks:
///
/// * One waits at the end, and has nothing that another one waits for. Those that have such a
///   thing are the deadlock.
/// * One ran from its first step to its last one while no other one but the body was between its
///   own first step and its last one. Its run is one step of the order, and the order of what
///   overlaps is what made the failure. It is no bystander if it waits at the end, took the turn by
///   force or lost it so, or read an old store.
struct StoryFolding {
  /// A table of so many columns has all of them.
  static let mostColumns = 6

  /// The columns that are left out.
  let bystanders: Set<Int>
  /// The steps of all others. Of a long row of steps of one column, which bystanders interrupted,
  /// the beginning and the end.
  let steps: [ScheduleStory.Step]
  /// The turn of each step, by its number: a turn ends where another column goes on.
  let turns: [Int: Int]

  init(_ story: ScheduleStory) {
    turns = Self.turns(of: story.steps)
    bystanders = Self.bystanders(of: story)
    guard !bystanders.isEmpty else {
      steps = story.steps
      return
    }
    let involved = story.steps.filter { [bystanders] in !bystanders.contains($0.column) }
    steps = Self.withoutMiddles(involved)
  }

  private static func turns(of steps: [ScheduleStory.Step]) -> [Int: Int] {
    var turns: [Int: Int] = [:]
    var (turn, column) = (0, -1)
    for step in steps {
      if step.column != column { turn += 1 }
      column = step.column
      turns[step.number] = turn
    }
    return turns
  }

  /// None if all but the body would be bystanders: then their order alone made the failure.
  private static func bystanders(of story: ScheduleStory) -> Set<Int> {
    guard story.columns.count > mostColumns, !story.isEndless else { return [] }
    let (late, spans) = (self.late(in: story), self.spans(of: story))
    let involved = self.involved(in: story, but: late)
    let others = spans.filter { $0.key != 0 && !late.contains($0.key) }
    let alone = others.filter { one in
      !involved.contains(one.key)
        && !others.contains { $0.key != one.key && $0.value.overlaps(one.value) }
    }
    return alone.count == others.count ? [] : late.union(alone.keys)
  }

  /// What waits at the end for what others have, and keeps none from going on. None if it is not
  /// known of any wait who has what it waits for.
  private static func late(in story: ScheduleStory) -> Set<Int> {
    let holders = Set(story.waits.compactMap(\.holder))
    return holders.isEmpty ? [] : Set(story.waits.map(\.step.column)).subtracting(holders + [0])
  }

  private static func involved(in story: ScheduleStory, but late: Set<Int>) -> Set<Int> {
    var involved = Set(story.waits.map(\.step.column) + story.waits.compactMap(\.holder))
    var before: Int?
    for step in story.steps where !late.contains(step.column) {
      if step.isForced { involved.formUnion([step.column, before].compactMap(\.self)) }
      if step.note != nil { involved.insert(step.column) }
      before = step.column
    }
    return involved
  }

  /// From the first step of each column to its last one, or to the end of the schedule if it cannot
  /// go on there.
  private static func spans(of story: ScheduleStory) -> [Int: ClosedRange<Int>] {
    var spans: [Int: ClosedRange<Int>] = [:]
    for step in story.steps {
      let first = spans[step.column]?.lowerBound ?? step.number
      spans[step.column] = first...max(first, step.number)
    }
    for wait in story.waits {
      let first = spans[wait.step.column]?.lowerBound ?? wait.step.number
      spans[wait.step.column] = first...max(first, story.total, wait.step.number)
    }
    return spans
  }

  private static func withoutMiddles(_ steps: [ScheduleStory.Step]) -> [ScheduleStory.Step] {
    var told: [ScheduleStory.Step] = []
    var rest = steps[...]
    while let column = rest.first?.column {
      let turn = rest.prefix { $0.column == column }
      let beside = StoryPlan.besideASwitch
      told += turn.count <= 2 * beside + 1 ? turn : turn.prefix(beside) + turn.suffix(beside)
      rest = rest.dropFirst(turn.count)
    }
    return told
  }
}
