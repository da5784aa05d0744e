import ThreadmillModel
import ThreadmillReporting

extension Outcomes: CustomStringConvertible {
  /// A table: the most frequent value first, with a bar for its share, and the schedules.
  public var description: String {
    let widest = all.map(\.words.count).max() ?? 0
    let digits = String(all.first?.count ?? 0).count
    var text = "\(statement)\n\n"
    for outcome in all {
      let bar = String(repeating: "#", count: bar(outcome))
      let count = String(outcome.count)
      text += "  \(outcome.words.padded(to: widest))  "
      text += String(repeating: " ", count: digits - count.count) + count
      text += "  \(percentage(outcome))  \(bar.padded(to: Self.widestBar))"
      text += outcome.names.isEmpty ? "" : "  \(outcome.names.joined(separator: ", "))"
      text = text.trimmingBlanks + "\n"
    }
    for outcome in all { text += "\n  \(outcome.words): \(outcome.replay)\n" }
    return text
  }

  /// What is known of the values that were not seen.
  public var statement: String {
    let values = TextReport.plural(all.count, "value")
    let schedules = TextReport.plural(self.schedules, "schedule")
    if isComplete { return "\(values) in all \(schedules) that there are" }
    guard let estimatedSchedules else { return "\(values) in \(schedules)" }
    return "\(values) in \(schedules) of about \(Self.rounded(estimatedSchedules)) (estimated)"
  }

  /// The same as JSON: an object with `version`, `statement`, `schedules`, `complete`, `estimate`,
  /// `seed` and `outcomes`, a list of objects with `value`, `count`, `names` and `schedule`.
  public var json: String {
    JSON.object([
      .init("version", .integer(1)),
      .init("statement", .string(statement)),
      .init("schedules", .integer(schedules)),
      .init("complete", .boolean(isComplete)),
      .init("estimate", estimatedSchedules.map { .string(Self.rounded($0)) } ?? .null),
      .init("seed", .integer(exploration.seed)),
      .init("outcomes", .array(all.map(\.json))),
    ]).text
  }

  /// The same as a page of HTML, which needs nothing but itself.
  public var html: String {
    let head = ["value", "schedules", "share", "", "names", "schedule"]
    let rows: [HTML] = all.map { outcome in
      let cells = [outcome.words, "\(outcome.count)", percentage(outcome)]
      let bar = HTML.element("meter", [.init("value", "\(share(outcome))")])
      let rest = [outcome.names.joined(separator: ", "), outcome.schedule.description]
      return .element(
        "tr", [],
        cells.map { .element("td", [], $0) } + [.element("td", [], [bar])]
          + rest.map { .element("td", [], $0) })
    }
    let table = HTML.element(
      "table", [],
      [
        .element("thead", [], [.element("tr", [], head.map { .element("th", [], $0) })]),
        .element("tbody", [], rows),
      ])
    return HTMLPage(
      title: "Outcomes",
      style: """
        body{font-family:sans-serif}td,th{text-align:left;padding:.2em .8em}
        td:last-child{word-break:break-all}
        """,
      body: [.element("h1", [], "Outcomes"), .element("p", [], statement), table]
    ).text
  }

  private static var widestBar: Int { 30 }

  private func share(_ outcome: Outcome) -> Double {
    Double(outcome.count) / Double(max(1, schedules))
  }

  private func percentage(_ outcome: Outcome) -> String {
    let tenths = Int((share(outcome) * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  private func bar(_ outcome: Outcome) -> Int {
    max(1, Int((share(outcome) * Double(Self.widestBar)).rounded()))
  }

  /// An estimate has one digit that counts: `3,000`, `2e+09`.
  private static func rounded(_ number: Double) -> String {
    guard number >= 1, number.isFinite else { return "1" }
    var (digit, exponent) = (number, 0)
    while digit >= 10 { (digit, exponent) = (digit / 10, exponent + 1) }
    let first = Int(digit.rounded())
    return exponent < 6
      ? String(first) + String(repeating: "0", count: exponent) : "\(first)e+\(exponent)"
  }
}

extension Outcomes.Outcome: CustomStringConvertible {
  /// The value, how often it came out, and how it came about step by step.
  public var description: String {
    "\(words), \(TextReport.plural(count, "time"))\n\n\(story)"
  }

  /// The steps of the schedule as a table, and at the end how to run it again.
  public var story: String {
    #if os(Linux)
      if let told {
        return SourceText.report.text(for: told, replay: replay)
      }
    #endif
    return "\(replay)\n"
  }

  var words: String { String(reflecting: value).printable }

  /// What to write in a test to run it again.
  var replay: String { "try outcomes(replaying: Schedule(parsing: \"\(schedule)\")) { … }" }

  fileprivate var json: JSON {
    .object([
      .init("value", .string(String(reflecting: value))),
      .init("count", .integer(count)),
      .init("names", .array(names.map { .string($0) })),
      .init("schedule", .string(schedule.description)),
    ])
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Without blanks at its end.
  var trimmingBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
