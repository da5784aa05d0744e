import ThreadmillModel

extension ExploredTest {
  /// How much of what can happen was seen, in one line without the name of the test.
  package var words: String {
    let seen = isComplete ? everything : "\(coverage)"
    return uncontrolled == 0 ? seen : "\(seen); \(TextReport.passed(uncontrolled))"
  }

  private var everything: String {
    let of = classes.map { " of \(TextReport.plural($0, "class", "classes"))" } ?? ""
    return "every order was tried, in \(TextReport.plural(coverage.schedules, "schedule"))\(of): "
      + "\(TextReport.plural(coverage.readsFromPairs, "reads-from pair")) and "
      + TextReport.plural(coverage.handOvers, "hand-over")
      + (coverage.meeting.map { "; \($0)" } ?? "")
  }
}

extension TextReport {
  /// So many explorations have a line of their own.
  private static let mostExplorations = 20

  /// The counts that the sum of the explorations tells.
  static let explorationCounts: Set = [
    "exploredTests", "exploredPrograms", "exploredSchedules", "uncontrolledOperations",
  ]

  /// The number of explored tests, programs and schedules, in one line without a line break; `nil`
  /// if nothing was explored.
  package static func explored(in report: Report) -> String? {
    func count(_ name: String) -> Int { report.accounting[name, default: 0] }
    let names = [("exploredTests", "test"), ("exploredPrograms", "program")]
    let explored = names.filter { count($0.0) > 0 }.map { plural(count($0.0), $0.1) }
    if explored.isEmpty { return nil }
    return "\(explored.joined(separator: " and ")) explored under"
      + " \(plural(count("exploredSchedules"), "schedule")),"
      + " \(passed(count("uncontrolledOperations")))"
  }

  /// The sum of the explorations, and a line for each test that was not explored.
  static func sum(of report: Report) -> String {
    let others = report.tests.compactMap { test in
      test.unexplored.map { "  not explored: \(test.name.printable): \($0.printable)\n" }
    }
    return (explored(in: report).map { "Threadmill: \($0)\n" } ?? "") + others.joined()
  }

  /// `0 operations not under control`.
  static func passed(_ count: Int) -> String {
    "\(plural(count, "operation")) not under control"
  }

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

extension Report {
  /// The explorations of tests that did not fail under a schedule. One that fails ends there: what
  /// further schedules show is not the question.
  var unfailed: [ExploredTest] {
    let failed = Set(findings.filter { $0.schedule != nil }.flatMap(\.tests))
    return explorations.filter { !failed.contains($0.test) }
  }
}

extension ExploredTest {
  fileprivate var openness: Double { isComplete ? 0 : coverage.newPairsPerSchedule }
}
