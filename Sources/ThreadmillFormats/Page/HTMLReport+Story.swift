import ThreadmillModel
import ThreadmillReporting

/// The table of a schedule: a column for each thread, block or task.
extension HTMLReport {
  func story(_ story: ScheduleStory) -> [HTML] {
    let table = StoryTable(story)
    let head = ["Step"] + table.columns + ["Where"]
    var content: [HTML] = [
      .element("h4", [], "The schedule, step by step"),
      .element(
        "div", [.init("class", "drawing"), .init("tabindex", "0")],
        [
          .element(
            "table", [.init("class", "story")],
            [
              .element("caption", [], caption(of: table)),
              .element(
                "thead", [],
                [.element("tr", [], head.map { .element("th", [.init("scope", "col")], $0) })]),
              .element("tbody", [], table.rows.map { row($0, of: table) }),
            ])
        ]),
    ]
    if let heading = table.heading {
      content.append(.element("h4", [], heading))
      content.append(.element("ul", [.init("class", "ends")], table.lines.map(line)))
    }
    return content
  }

  private func caption(of table: StoryTable) -> String {
    let legend = StoryTable.legend(mark: "▸") + "."
    return table.note.map { "\(legend) \($0)" } ?? legend
  }

  private func row(_ row: StoryTable.Row, of table: StoryTable) -> HTML {
    let number: String
    var cells = Array(repeating: HTML.element("td"), count: table.columns.count)
    var place = HTML.element("td")
    var isForced = false
    switch row {
    case .gap(let count, let column):
      number = "…"
      let words = column == nil ? TextReport.plural(count, "step") : "\(count) more"
      let cell = HTML.element("td", [.init("class", "hint")], "… \(words)")
      if let column, cells.indices.contains(column) { cells[column] = cell } else { place = cell }
    case .step(let step, let column, let action, let forced, let frame):
      (number, isForced) = (String(step), forced)
      if cells.indices.contains(column) {
        cells[column] = .element("td", [], (forced ? "▸ " : "") + action)
      }
      if let frame {
        place = .element("td", [.init("class", "place")], text.placeWithSource(frame))
      }
    }
    let head = HTML.element("th", [.init("scope", "row")], number)
    return .element(
      "tr", isForced ? [.init("class", "forced")] : [], [head] + cells + [place])
  }

  private func line(_ line: StoryTable.Line) -> HTML {
    var content = [HTML.text(line.text)]
    if let place = line.place {
      content.append(.element("span", [.init("class", "place")], " " + text.placeWithSource(place)))
    }
    return .element("li", [.init("dir", "auto")], content)
  }
}
