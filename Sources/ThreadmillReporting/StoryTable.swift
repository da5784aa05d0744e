import ThreadmillModel

/// A schedule as a table, for every format that shows one: a column for each thread, block or task,
/// a row for each step that is told, and what there is to say about its end.
package struct StoryTable: Hashable, Sendable {
  package enum Row: Hashable, Sendable {
    /// What was done, in which column, and where.
    case step(number: Int, column: Int, action: String, isForced: Bool, place: Frame?)
    /// So many steps are not told; all of one column, if it is named.
    case gap(Int, column: Int?)
  }

  /// A line below the table.
  package struct Line: Hashable, Sendable {
    package var text: String
    package var place: Frame?
  }

  package let columns: [String]
  package let rows: [Row]
  /// How many threads, blocks and tasks the table leaves out; see ``StoryFolding``.
  package let bystanders: Int
  /// What the lines are about; `nil` where there are none.
  package let heading: String?
  package let lines: [Line]

  package init(_ story: ScheduleStory) {
    let folding = StoryFolding(story)
    var told = story
    told.steps = folding.steps
    told.waits.removeAll { folding.bystanders.contains($0.step.column) }
    if !folding.bystanders.isEmpty { told = told.withoutEmptyColumns }
    columns = told.columns
    rows = Self.rows(of: told, turns: folding.turns)
    bystanders = folding.bystanders.count
    let end = Self.end(of: told)
    (heading, lines) = (end.heading, end.lines)
  }

  private static func rows(of story: ScheduleStory, turns: [Int: Int]) -> [Row] {
    var rows: [Row] = []
    var last: ScheduleStory.Step?
    var begun: Set<Int> = []
    for step in story.isEndless ? ends(of: story.steps) : story.steps {
      if step.saysNothing(after: last) {
        if last?.number == step.number - 1 { last = step }
        continue
      }
      let gap = step.number - (last?.number ?? 0) - 1
      if gap > 0 {
        let isOnes =
          !step.isForced && last.map { turns[$0.number] == turns[step.number] } ?? false
        rows.append(.gap(gap, column: isOnes ? step.column : nil))
      }
      // A task has many jobs.
      let goesOn = !begun.insert(step.column).inserted && step.operation == .begin
      rows.append(
        .step(
          number: step.number, column: step.column,
          action: (goesOn ? "go on" : step.action) + (step.note.map { ": \($0)" } ?? ""),
          isForced: step.isForced, place: step.places.first))
      last = step
    }
    let rest = story.total - (last?.number ?? 0)
    if rest > 0 { rows.append(.gap(rest, column: nil)) }
    return rows
  }

  /// Steps that are repeated are counted below the table.
  private static func ends(of steps: [ScheduleStory.Step]) -> [ScheduleStory.Step] {
    let tail = steps.suffix(endlessRows)
    let counted = steps.suffix(StoryPlan.last).first?.number ?? 0
    return steps.prefix(endlessRows).filter { $0.number < counted } + tail
  }

  /// So many rows an endless schedule has at its beginning, and at its end.
  private static let endlessRows = 12

  /// What the mark beside a step means.
  package static func legend(mark: String) -> String {
    "\(mark) marks a switch away from one that could go on"
  }

  /// What is left out; `nil` if nothing is.
  package var note: String? {
    guard bystanders > 0 else { return nil }
    let (them, how) =
      bystanders == 1
      ? ("One thread, block or task is", "it ran alone, or waits at the end and keeps")
      : (
        "\(bystanders) threads, blocks and tasks are",
        "they ran alone, or wait at the end and keep"
      )
    return "\(them) left out: \(how) no other one waiting."
  }

  fileprivate static func end(of story: ScheduleStory) -> (heading: String?, lines: [Line]) {
    if story.isEndless {
      let shown = min(story.steps.count, ScheduleStory.lastSteps)
      let lines = story.habits.map { habit in
        let step = ScheduleStory.Step(
          number: 0, column: habit.column, habit.operation, object: habit.object)
        let times = TextReport.plural(habit.count, "time")
        return Line(
          text: "\(story.name(habit.column)): \(step.action), \(times)", place: habit.place)
      }
      return ("No end within \(story.total) steps. The last \(shown) of them:", lines)
    }
    guard !story.waits.isEmpty || !story.awaits.isEmpty else { return (nil, []) }
    let lines = story.waits.map { wait in
      let isOver = wait.isHolderOver
      let has = isOver ? "took, and it has ended" : "has"
      let holder = wait.holder.map { ", which \(story.name($0)) \(has)" } ?? ""
      let isJoin = wait.step.operation == .join
      return Line(
        text: "\(story.name(wait.step.column)) \(wait.step.waiting)\(isJoin ? "" : holder)",
        place: wait.step.places.first)
    }
    let suspended = story.awaits.map { Line(text: $0.text, place: $0.places.first) }
    return ("At the end these cannot go on:", lines + suspended)
  }
}

extension ScheduleStory {
  /// Who waits for what at the end, or what was done again and again: one fact for each, with its
  /// place.
  ///
  /// Where no thread is to blame, these are the tasks that keep the body from its end. A test
  /// framework may wait for a test's task on a thread, in code that is not the program's: then
  /// these are all tasks.
  package var ending: [Finding.Fact] {
    if keepsBodyByAwaits {
      return awaits.filter(\.keepsBody).map { Finding.Fact($0.text, frames: $0.places) }
    }
    if !isEndless, !awaits.isEmpty, waits.allSatisfy(\.step.places.isEmpty) {
      return awaits.map { Finding.Fact($0.text, frames: $0.places) }
    }
    var threads = self
    threads.awaits = []
    return StoryTable.end(of: threads).lines.map {
      Finding.Fact($0.text, frames: [$0.place].compactMap(\.self))
    }
  }

  private var keepsBodyByAwaits: Bool { !isEndless && awaits.contains(where: \.keepsBody) }

  /// A column's name, also where a report from elsewhere has none.
  fileprivate func name(_ column: Int) -> String {
    columns.indices.contains(column) ? columns[column] : "?"
  }
}

extension ScheduleStory.Step {
  /// Whether nobody waits for it: a task goes on where it is, or away from an actor; or a strand
  /// goes on at once behind the call by which it started another one.
  fileprivate func saysNothing(after last: ScheduleStory.Step?) -> Bool {
    switch operation {
    case .hop: object == nil && !isForced
    case .goOn: last?.number == number - 1 && last?.column == column
    default: false
    }
  }

  /// `lock mutex L3`.
  fileprivate var action: String {
    if let object { return "\(operation.words) \(object)" }
    return switch operation {
    case .submit: "submit"
    case .wait: "wait"
    case .once: "go through a once token"
    case .hop: "leave the actor"
    default: operation.words
    }
  }

  /// `waits to lock mutex L3`.
  fileprivate var waiting: String {
    switch operation {
    case .wait: object.map { "waits for \($0)" } ?? "waits"
    case .join: "waits for the end of \(object ?? "a thread")"
    case .sleep: "sleeps"
    default: "waits to \(action)"
    }
  }
}
