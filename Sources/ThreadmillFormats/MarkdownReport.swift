import ThreadmillModel
import ThreadmillReporting

/// The report as Markdown for the summary of a job: a table of the findings, the most severe
/// first, and each at length in a fold below.
///
/// GitHub takes a mebibyte from a step and throws away what is longer. So details are left out
/// where it gets long, then rows, the least severe first, and what was left out is counted.
package enum MarkdownReport {
  /// A mebibyte, less some room for what else the step has to say.
  static let limit = 1_000_000
  /// The greatest size of the table, in bytes.
  static let tableLimit = 600_000
  static let testsShown = 3
  static let failuresShown = 100

  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    let text = TextReport(context)
    let shown = report.told
    let head =
      Markdown.heading([.text(TextReport.summary(of: report))]).text
      + failures(in: report, text)
    let tail = tail(of: report, text)
    let table = table(of: shown, text)
    var result = head + table.text
    let room = limit - tail.utf8.count - 200
    var told = 0
    for finding in shown {
      let details = details(of: finding, text)
      guard result.utf8.count + details.utf8.count <= room else { break }
      result += details
      told += 1
    }
    result += cut(rows: shown.count - table.rows, details: shown.count - told) + tail
    return Array(result.utf8)
  }

  /// A table of the tests that have failed for something else than a finding, the first of them.
  private static func failures(in report: Report, _ text: TextReport) -> String {
    let failed = report.unexplained
    guard !failed.isEmpty else { return "" }
    let rows = failed.prefix(failuresShown).map { test -> [[Markdown.Inline]] in
      let issue = test.issues.first ?? test.failure
      return [
        [.code(test.name)], [.text(issue.message)],
        text.place(of: issue).map { [.code($0)] } ?? [],
        test.isSensitive ? [.text("sensitive to timing")] : [],
      ]
    }
    let rest = failed.count - rows.count
    let others = rest > 0 ? [TextReport.plural(rest, "more failed test")] : []
    return Markdown.table(head: ["failed test", "says", "at", ""], rows: rows).text
      + others.map { Markdown.paragraph([.text("and \($0)")]).text }.joined()
  }

  private static func table(of findings: [Finding], _ text: TextReport) -> (text: String, rows: Int)
  {
    guard !findings.isEmpty else { return ("", 0) }
    var (rows, size): ([[[Markdown.Inline]]], Int) = ([], 0)
    for finding in findings {
      let row = row(for: finding, text)
      size += Markdown.table(head: [], rows: [row]).text.utf8.count
      guard size <= tableLimit else { break }
      rows.append(row)
    }
    let head = ["", "finding", "kind", "at", "tests", "seen"]
    return (Markdown.table(head: head, rows: rows).text, rows.count)
  }

  private static func row(for finding: Finding, _ text: TextReport) -> [[Markdown.Inline]] {
    let place = finding.place.flatMap(text.place)
    return [
      [.text(finding.severity.rawValue)], [.text(finding.title)],
      [.text("\(finding.status.rawValue) "), .code(finding.kind.rawValue)],
      place.map { [.code($0)] } ?? [], tests(of: finding),
      [.text(TextReport.plural(finding.count, "time"))],
    ]
  }

  private static func tests(of finding: Finding) -> [Markdown.Inline] {
    var cell: [Markdown.Inline] = []
    for test in finding.tests.prefix(testsShown) {
      if !cell.isEmpty { cell.append(.lineBreak) }
      cell.append(.code(test))
    }
    let others = finding.tests.count - testsShown
    return others > 0 ? cell + [.lineBreak, .text("and \(others) more")] : cell
  }

  private static func details(of finding: Finding, _ text: TextReport) -> String {
    var lines = text.text(for: finding)
    if lines.hasSuffix("\n") { lines.removeLast() }
    let summary = "\(finding.severity.rawValue): \(finding.title)"
    return Markdown.details(summary: summary, [.code(lines)]).text
  }

  private static func cut(rows: Int, details: Int) -> String {
    var words: [String] = []
    if rows > 0 { words.append("\(TextReport.plural(rows, "row")) of the table") }
    if details > 0 { words.append("the details of \(TextReport.plural(details, "finding"))") }
    guard !words.isEmpty else { return "" }
    let sentence =
      "Left out, since a summary holds one mebibyte: \(words.joined(separator: " and ")), "
      + "the least severe. The other formats of the report have them."
    return Markdown.paragraph([.text(sentence)]).text
  }

  /// The counts of what was left out, and the command to repeat the run.
  private static func tail(of report: Report, _ text: TextReport) -> String {
    var result = ""
    let words = AccountWords.told(in: report).map { "\($0.words): \($0.count)" }
    if !words.isEmpty {
      result += Markdown.paragraph([.text(words.joined(separator: ", "))]).text
    }
    if let repetition = text.repetition(of: report) {
      result += Markdown.code(repetition).text
    }
    return result
  }
}
