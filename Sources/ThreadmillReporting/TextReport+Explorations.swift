import ThreadmillModel

extension ExploredTest {
  /// How much of what can happen was seen, in one line without the name of the test.
  package var words: String {
    guard isComplete else { return "\(coverage)" }
    return "every order was tried, in \(TextReport.plural(coverage.schedules, "schedule")): "
      + "\(TextReport.plural(coverage.readsFromPairs, "reads-from pair")) and "
      + TextReport.plural(coverage.handOvers, "hand-over")
  }
}

extension TextReport {
  /// So many explorations have a line of their own.
  private static let mostExplorations = 20

  /// A line for each exploration of a test; of many, for those that are likely to show most that is
  /// new.
  static func lines(on explorations: [ExploredTest]) -> String {
    let open = explorations.enumerated().sorted { a, b in
      let (x, y) = (a.element.openness, b.element.openness)
      return x == y ? a.offset < b.offset : x > y
    }
    let shown = open.prefix(mostExplorations).sorted { $0.offset < $1.offset }
    let lines = shown.map { "Explored \($0.element.test.printable): \($0.element.words)\n" }
    let rest = explorations.count - shown.count
    let others = "Explored \(plural(rest, "other test")), less likely to show more\n"
    return lines.joined() + (rest == 0 ? "" : others)
  }
}

extension ExploredTest {
  fileprivate var openness: Double { isComplete ? 0 : coverage.newPairsPerSchedule }
}
