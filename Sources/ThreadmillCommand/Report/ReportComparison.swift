import ThreadmillModel
import ThreadmillReporting

/// A report held against an older one: what that one has is known.
struct ReportComparison: Sendable {
  private let path: String
  private let old: Baseline

  /// A report, and what is said below it.
  struct Compared {
    var report: Report
    var text: String
  }

  init(_ path: String) throws(WrongInput) {
    self.path = path
    var report = try StoredReport(file: path).report
    for index in report.findings.indices { report.findings[index].judgement = nil }
    old = Baseline(of: report)
  }

  /// Suppressions stay in force.
  func compare(_ report: Report) -> Compared {
    let outcome = Judging(baseline: old, today: .today).judge(report)
    let findings = outcome.report.findings.filter { $0.status != .filtered }
    let new = findings.count { $0.judgement == .new }
    let same = findings.count(where: \.isKnown)
    let gone = outcome.gone.map { "gone  \($0.printable)\n" }.joined()
    let counts = "\(new) new, \(same) the same, \(outcome.gone.count) gone"
    return Compared(
      report: outcome.report, text: "\(gone)Since \(path.printable): \(counts)\n")
  }
}
