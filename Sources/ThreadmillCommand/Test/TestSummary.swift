import Foundation
import ThreadmillModel
import ThreadmillReporting

/// What `threadmill test` says at its end.
struct TestSummary {
  private let series: TestSeries
  private let report: Report
  private let plan: TestPlan

  init(_ series: TestSeries, _ report: Report, _ plan: TestPlan) {
    self.series = series
    self.plan = plan
    // Those of one run would be told as if they were those of all.
    var report = report
    (report.run.jitter, report.run.seed) = (nil, nil)
    self.report = report
  }

  /// What the first failing run printed, the findings of all, how often each was seen where more
  /// than one run was wanted, what the policies did, and, where a run has failed, the command that
  /// runs it again.
  var text: String {
    [
      series.firstFailure?.output, TextReport(.here()).text(for: report),
      plan.count == 1 ? nil : TallyText(series.tally, noun: "run").text,
      series.portfolio.map { PortfolioText($0.outcomes, coverage: series.coverage).text },
      explored, outcome,
    ].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var outcome: String {
    let runs = series.tally.runs == 1 ? "1 run" : "\(series.tally.runs) runs"
    let failed = "Threadmill: \(runs), \(series.failures) failed\n"
    guard let first = series.firstFailure?.run else { return failed }
    let again = plan.command(repeating: series.firstFailure, report)
    return failed + "repeat: \(again ?? plan.command(repeating: first))\n"
  }

  /// How much was explored; `nil` where nothing was to be.
  private var explored: String? {
    guard plan.explores else { return nil }
    let tests = report.accounting["exploredTests", default: 0]
    let schedules = report.accounting["exploredSchedules", default: 0]
    return "Threadmill: \(tests) \(tests == 1 ? "test" : "tests") explored under \(schedules)"
      + " \(schedules == 1 ? "schedule" : "schedules"); others ran as they are\n"
  }
}

extension TestPlan {
  /// The command line for what went wrong first: the schedule where there is one, else all of the
  /// run; `nil` where nothing did.
  func command(repeating failure: TestSeries.Failure?, _ report: Report) -> String? {
    guard let failure else { return nil }
    for finding in report.findings where finding.counts {
      guard let text = finding.schedule, let test = finding.tests.first,
        let schedule = try? Schedule(parsing: text)
      else { continue }
      return command(replaying: schedule, of: test)
    }
    return command(repeating: failure.run)
  }
}
