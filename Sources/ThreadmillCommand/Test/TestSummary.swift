import Foundation
import ThreadmillModel
import ThreadmillReporting

/// The text that `threadmill test` prints at its end.
struct TestSummary {
  private let series: TestSeries
  private let report: Report
  private let plan: TestPlan

  init(_ series: TestSeries, _ report: Report, _ plan: TestPlan) {
    self.series = series
    self.plan = plan
    // The policy and the seed of one run must not be shown as those of all runs.
    var report = report
    (report.run.jitter, report.run.seed) = (nil, nil)
    self.report = report
  }

  /// The failures and the findings of all runs, how often each was seen if there were several runs,
  /// the results of the policies, and the command that repeats the first failing run. If nothing
  /// else says why that run failed, its output comes first.
  var text: String {
    [
      isUnexplained ? series.firstFailure?.output : nil,
      TextReport(plan.context(of: series, report)).text(for: report),
      plan.count == 1 ? nil : TallyText(series.tally, noun: "run").text,
      series.portfolio.map { PortfolioText($0.outcomes, coverage: series.coverage).text },
      nothingExplored, outcome,
    ].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var isUnexplained: Bool {
    report.unexplained.isEmpty && !report.findings.contains(where: \.counts)
  }

  private var outcome: String? {
    let runs = series.tally.runs == 1 ? "1 run" : "\(series.tally.runs) runs"
    let again = plan.command(repeating: series.firstFailure, report).map { "To repeat: \($0)\n" }
    if plan.count == 1 { return again }
    let isCut =
      series.firstFailure != nil && plan.stopsAtFailure && !series.isInterrupted
      && series.tally.runs < plan.count ?? .max
    let rest = isCut ? "; stopped at the first failure, --until end goes on" : ""
    return "Threadmill: \(runs), \(series.failures) failed\(rest)\n\(recurrence)\(again ?? "")"
  }

  /// How often the failed tests failed again with the seed of the last line.
  private var recurrence: String {
    guard let counts = series.recurrence else { return "" }
    let runs = counts.runs == 1 ? "1 further run" : "\(counts.runs) further runs"
    let advice =
      counts.failures == counts.runs
      ? "" : "; --explore looks for an order of steps that fails each time"
    return "Threadmill: with the same seed, \(counts.failures) of \(runs) failed\(advice)\n"
  }

  /// Says that `--explore` has explored nothing, which the report does not say.
  private var nothingExplored: String? {
    plan.explores && TextReport.explored(in: report) == nil ? "Threadmill: 0 tests explored\n" : nil
  }
}

extension TestPlan {
  /// The command line that repeats the first failure: its schedule if it has one, else the whole
  /// run; `nil` if nothing failed.
  func command(repeating failure: TestSeries.Failure?, _ report: Report) -> String? {
    let scheduled = report.findings.lazy.filter(\.counts).compactMap(command(replaying:))
    return scheduled.first
      ?? failure.map { command(repeating: $0.run, of: Self.filter($0.tests)) }
  }

  /// The context for the formats, with a command line for each finding.
  func context(
    of series: TestSeries, _ report: Report, command: String? = nil
  ) -> ReportContext {
    let runs = Dictionary(
      series.tally.entries.map { ($0.sight.key, $0.first) }, uniquingKeysWith: { first, _ in first }
    )
    let names = Dictionary(
      report.tests.map { ($0.title, $0.name) }, uniquingKeysWith: { first, _ in first })
    var context = ReportContext.here(command: command)
    context.repetition = { finding in
      if let replay = self.command(replaying: finding) { return replay }
      return runs[finding.fingerprint].map { run in
        self.command(repeating: run, of: Self.filter(finding.tests.map { names[$0] ?? $0 }))
      }
    }
    return context
  }

  /// The command line that runs the finding's schedule again; `nil` if it has none.
  func command(replaying finding: Finding) -> String? {
    guard let text = finding.schedule,
      let test = finding.confirmation?.test ?? finding.tests.first,
      let schedule = try? Schedule(parsing: text)
    else { return nil }
    return command(replaying: schedule, of: test)
  }

  /// A short expression that matches these tests; `nil` if there are more than three.
  private static func filter(_ tests: [String]) -> String? {
    guard (1...3).contains(tests.count) else { return nil }
    return tests.map { String($0.prefix { $0 != "(" }) }.joined(separator: "|")
  }
}
