import ThreadmillModel

extension TextReport {
  /// A line of source beside a step is cut there.
  private static let sourceShown = 60

  /// The table of a schedule by itself, with how to run it again at its end. Ends with a line
  /// break.
  ///
  /// - Parameter replay: the call that runs it again, if that is not `explore`.
  package func text(for story: ScheduleStory, replay: String? = nil) -> String {
    var layout = TextLayout()
    addStory(story, to: &layout)
    layout.blank()
    layout.text(replay.map { "To repeat: \($0)" } ?? Self.replay(story.schedule), indent: 2)
    return layout.render()
  }

  /// The code that runs the schedule again in a test.
  package static func replay(_ schedule: String) -> String {
    "To repeat: try explore(replaying: Schedule(parsing: \"\(schedule)\")) { … }"
  }

  func addStory(_ story: ScheduleStory, to layout: inout TextLayout) {
    let table = StoryTable(story)
    let steps = Self.plural(story.total, "step")
    layout.text("The schedule, \(steps); \(StoryTable.legend(mark: ">"))", indent: 2)
    if let note = table.note { layout.text(note, indent: 2) }
    layout.blank()
    layout.row(["step"] + table.columns + [""], group: .story, indent: 4)
    for row in table.rows { layout.row(cells(row, of: table), group: .story, indent: 4) }
    guard let heading = table.heading else { return }
    layout.blank()
    layout.text(heading, indent: 2)
    for line in table.lines {
      layout.row(line.text, line.place.map(placeWithSource) ?? "", group: .ends, indent: 4)
    }
  }

  private func cells(_ row: StoryTable.Row, of table: StoryTable) -> [String] {
    var cells = Array(repeating: "", count: table.columns.count + 2)
    switch row {
    case .gap(let count, let column):
      cells[0] = "…"
      if let column, table.columns.indices.contains(column) {
        cells[column + 1] = "… \(count) more"
      } else {
        cells[table.columns.count + 1] = "… \(Self.plural(count, "step"))"
      }
    case .step(let number, let column, let action, let isForced, let place):
      cells[0] = String(number)
      if table.columns.indices.contains(column) {
        cells[column + 1] = (isForced ? "> " : "") + action
      }
      cells[table.columns.count + 1] = place.map(placeWithSource) ?? ""
    }
    return cells
  }

  /// `Bank.swift:12  ledger.lock()`, as far as that is known: a table has no room for folders.
  package func placeWithSource(_ frame: Frame) -> String {
    guard let path = place(of: frame) else { return frame.name }
    let place = path.split(separator: "/").last.map(String.init) ?? path
    guard let line = SourceQuote(frame, context)?.lines.first(where: \.isPlace) else {
      return place
    }
    let source = (line.before + line.marked + line.after).trimmed
    let shown =
      source.count > Self.sourceShown ? source.prefix(Self.sourceShown) + "…" : source[...]
    return shown.isEmpty ? place : "\(place)  \(shown)"
  }
}

extension String {
  /// Without blanks at its ends.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
