import ThreadmillModel
import ThreadmillReporting

/// The report as commands to the runner of GitHub's workflows: an annotation for each finding, and
/// for each failure of a test that no finding explains.
///
/// GitHub shows ten errors, ten warnings and ten notices of a step. The most severe come first, and
/// one notice at the end counts what is not shown.
package enum GitHubReport {
  /// How many annotations of one level are shown.
  static let limit = 10
  /// How many threads are named in one annotation.
  static let threads = 6

  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    var left: [WorkflowCommand.Level: Int] = [.error: limit, .warning: limit, .notice: limit - 1]
    var text = ""
    var rest = 0
    for finding in report.told {
      let level = level(of: finding)
      if let room = left[level], room > 0 {
        left[level] = room - 1
        text += command(for: finding, level, context).text
      } else {
        rest += 1
      }
    }
    for test in report.unexplained {
      for issue in test.issues(else: test.failure) {
        if let room = left[.error], room > 0 {
          left[.error] = room - 1
          text += command(for: issue, of: test, context).text
        } else {
          rest += 1
        }
      }
    }
    if rest > 0 {
      let findings =
        report.unexplained.isEmpty
        ? TextReport.plural(rest, "more finding") : "\(rest) more findings and failures"
      text +=
        WorkflowCommand(
          level: .notice, title: "Threadmill",
          message: "\(findings) without an annotation, since GitHub shows \(limit) of each level: "
            + "see the report"
        ).text
    }
    return Array(text.utf8)
  }

  private static func command(
    for issue: TestResult.Issue, of test: TestResult, _ context: ReportContext
  ) -> WorkflowCommand {
    WorkflowCommand(
      level: .error, file: issue.file.map(context.path), line: issue.line, title: test.name,
      message: issue.message)
  }

  private static func level(of finding: Finding) -> WorkflowCommand.Level {
    switch finding.severity {
    case .error: .error
    case .warning: .warning
    case .note: .notice
    }
  }

  private static func command(
    for finding: Finding, _ level: WorkflowCommand.Level, _ context: ReportContext
  ) -> WorkflowCommand {
    let place = finding.place
    return WorkflowCommand(
      level: level, file: place?.file.map(context.path), line: place?.line,
      column: place?.column.flatMap { $0 > 0 ? $0 : nil }, title: finding.kind.name,
      message: message(for: finding, context))
  }

  /// The title, a line for each thread, how to repair it, what to type.
  private static func message(for finding: Finding, _ context: ReportContext) -> String {
    let text = TextReport(context)
    var lines = [finding.title]
    for participant in finding.participants.prefix(threads) {
      let place = participant.place.flatMap(text.place).map { " at \($0)" } ?? ""
      lines.append(participant.sentence + place)
    }
    let others = finding.participants.count - threads
    if others > 0 { lines.append("and \(TextReport.plural(others, "more thread"))") }
    lines.append(finding.repair)
    if !finding.tests.isEmpty { lines.append("Seen in \(list(of: finding.tests))") }
    if let command = context.command(for: finding) { lines.append("To repeat: \(command)") }
    return lines.joined(separator: "\n")
  }

  private static func list(of tests: [String]) -> String {
    let others = tests.count - 3
    let shown = tests.prefix(3).joined(separator: ", ")
    return others > 0 ? "\(shown) and \(TextReport.plural(others, "other test"))" : shown
  }
}
