import Foundation
import ThreadmillModel
import ThreadmillReporting

/// What a command holds its report against before it says or writes it: the same switches for every
/// command.
struct ReportJudging: Sendable {
  static let switches = [
    Switch(
      "--baseline", takes: .path, "Do not count findings that this file lists; say which are gone."),
    Switch(
      "--suppressions", takes: .path,
      "Do not count findings that this file suppresses; each entry has a reason."),
    Switch("--update-baseline", "Replace the findings in the baseline by those of this run."),
  ].map { $0.under(.judgement) }

  private let judging: Judging
  /// The path of the baseline; `nil` if there is none.
  private let path: String?
  private let updates: Bool

  /// Reads the files, so that what is wrong with them is told before minutes of work.
  init(_ arguments: Arguments, today: Day = .today) throws(WrongInput) {
    path = arguments.values["--baseline"]
    updates = arguments.has("--update-baseline")
    judging = Judging(
      baseline: try Self.baseline(path, updates: updates),
      suppressions: try arguments.values["--suppressions"].map(Self.suppressions), today: today)
  }

  /// Whether a baseline or suppressions are given.
  var isAsked: Bool { judging.baseline != nil || judging.suppressions != nil }

  /// Tells watched processes as well, so that no test fails for what is known or suppressed.
  func tell(_ options: inout Options) {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
    options.baseline = updates ? nil : path.map(absolute) ?? options.baseline
    options.suppressions = judging.suppressions.map { absolute($0.file) } ?? options.suppressions
  }

  /// The report with its judgements; says what is worth knowing about the files, and writes the
  /// baseline where that is wanted.
  ///
  /// - Parameter isWhole: whether all is there that should be; else the baseline stays as it is, as
  ///   it would lose what the missing part has found.
  func judge(
    _ report: Report, isWhole: Bool = true, for command: String, _ console: Console
  ) throws -> Report {
    guard isAsked else { return report }
    let outcome = judging.judge(report)
    func say(_ line: String) { console.complain("threadmill \(command): \(line.printable)\n") }
    for line in suppressionLines(outcome) { say(line) }
    guard let path else { return outcome.report }
    guard updates else {
      for line in outcome.gone { say("gone, but still in \(path): \(line)") }
      return outcome.report
    }
    guard isWhole else {
      say("\(path) was not changed, because a part of the report is missing")
      return outcome.report
    }
    return try update(path, outcome, say: say)
  }

  private func update(
    _ path: String, _ outcome: Judging.Outcome, say: (String) -> Void
  ) throws -> Report {
    let baseline = Baseline(of: outcome.report)
    try ReportFile.replace(path, with: baseline.bytes)
    let added = outcome.report.findings.count { $0.judgement == .new }
    say(
      "wrote \(path): findings now known: \(baseline.entries.count), added: \(added),"
        + " dropped: \(outcome.gone.count)")
    var judging = judging
    judging.baseline = baseline
    return judging.judge(outcome.report).report
  }

  private func suppressionLines(_ outcome: Judging.Outcome) -> [String] {
    let file = judging.suppressions?.file ?? ""
    let lines = outcome.expired.map { entry in
      let day = entry.until?.description ?? ""
      return (entry.line, "expired after \(day), and suppresses nothing any more: \(entry.reason)")
    }
    let others = outcome.unused.map { ($0.line, "matches no finding: \($0.reason)") }
    return (lines + others).sorted { $0.0 < $1.0 }.map { "\(file):\($0.0): \($0.1)" }
  }

  // MARK: Files

  private static func baseline(
    _ path: String?, updates: Bool
  ) throws(WrongInput) -> Baseline? {
    guard let path else {
      guard updates else { return nil }
      throw WrongInput("--update-baseline has no file to write; expected --baseline PATH as well")
    }
    let output = Switch.Value.output
    if updates, !output.accepts(path) {
      throw WrongInput("--baseline \(path.printable) cannot be written; expected \(output.allowed)")
    }
    guard let bytes = try WrongInput.contents(of: path) else {
      if updates { return Baseline() }
      throw WrongInput(
        "there is no baseline \(path.printable); add --update-baseline to write it from this report"
      )
    }
    do {
      return try Baseline(parsing: bytes)
    } catch {
      throw WrongInput(
        error.lines.prefix(50).map { line in
          "\(path.printable):\(line): expected a fingerprint of 16 digits from 0 to f, then words"
        })
    }
  }

  private static func suppressions(_ path: String) throws(WrongInput) -> Suppressions {
    guard let bytes = try WrongInput.contents(of: path) else {
      throw WrongInput("there is no file of suppressions \(path.printable)")
    }
    do {
      return try Suppressions(parsing: bytes, file: path)
    } catch {
      throw WrongInput(error.description.split(separator: "\n").map(String.init))
    }
  }
}

extension Day {
  /// The current day in UTC.
  static var today: Day { Day(secondsSince1970: Int(Date().timeIntervalSince1970)) }
}
