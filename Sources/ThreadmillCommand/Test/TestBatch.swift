import Foundation
import ThreadmillChildren
import ThreadmillModel

/// Tests of one library that run in one process, and in others where a test takes that process
/// with it: the test has a finding, and the rest still runs.
struct TestBatch: Sendable {
  /// What a batch came to.
  struct Result: Sendable {
    var output = ""
    /// Of all its processes; `nil` as long as none was watched.
    var report: Report?
    var hasPassed = true
    var tests: [TestResult] = []

    /// Gives the report the results of the tests, without failures that its findings explain.
    mutating func explain() {
      let findings = report?.findings ?? []
      report?.tests = tests.map { $0.explained(by: findings) }
    }
  }

  let tests: [PackageTest]
  /// All there are of that library.
  let all: [PackageTest]

  func run(in process: TestProcess, telling options: Options) async throws -> Result {
    var result = Result()
    var waiting = [tests]
    while !Task.isCancelled, let next = waiting.popLast() {
      let ended = try await process.run(next, of: all, telling: options)
      if Task.isCancelled {
        // Nothing is wrong with a test that was interrupted.
        result.tests = TestResult.merged(result.tests + ended.tests.values)
        result.report = ended.report.map { result.report?.merged(with: $0) ?? $0 } ?? result.report
        return result
      }
      let end = TestEnd(next, ended, limit: process.limit)
      result.output += ended.child.output
      result.hasPassed = result.hasPassed && end.hasPassed
      result.tests = TestResult.merged(result.tests + end.tests)
      if let new = ended.report ?? end.ownReport {
        let told = end.complete(new)
        result.report = result.report?.merged(with: told) ?? told
      }
      waiting += end.left
    }
    return result
  }
}

/// How a process with tests has ended: who has to answer for it, and what is left to be run.
struct TestEnd {
  /// What is still to be run, in one process each.
  private(set) var left: [[PackageTest]] = []
  private(set) var hasPassed: Bool
  /// Findings that the process could not make itself.
  private var added: [Finding] = []
  /// The results of the tests that have ended, and of those that ended the process.
  private(set) var tests: [TestResult]
  private let late: Set<String>?
  private let limit: TestLimit
  /// What the Swift runtime printed of the error that ended the process; `nil` if it was none of
  /// its own.
  private let lastWords: String?
  /// In the midst of which the process ended.
  private let schedule: Schedule?

  /// What Swift Testing says where there is no test.
  private static let noTests: Int32 = 69

  init(_ tests: [PackageTest], _ result: TestProcess.Result, limit: TestLimit) {
    let journal = result.journal
    self.limit = limit
    self.tests = result.tests.values.map { test in
      var test = test
      test.unexplored = journal.unexplored[test.name]
      return test
    }
    schedule = result.schedule
    lastWords = Self.lastWords(in: result.child.output)
    late = result.late.map { Set($0.map(journal.name)) }
    let outcome = result.child.outcome
    hasPassed = outcome == .exited(0) || outcome == .exited(Self.noTests)
    let running = journal.running
    var isCutShort = !running.isEmpty || result.late != nil
    if case .exited = outcome {} else { isCutShort = true }
    guard isCutShort else { return }
    hasPassed = false
    let ends = (result.report?.findings ?? []).filter(\.endsProcess)
    let named = journal.identifiers(of: ends.flatMap(\.tests))
    let suspects = result.late ?? (named.isEmpty ? running : named)
    // Where time was up, what had ended has long said so; a crash leaves no time for that.
    let told = result.late == nil ? journal.ended(before: suspects) : journal.ended
    let rest = tests.filter { !told.contains($0.name) && !suspects.contains($0.name) }
    // Of several, each one alone will show.
    if result.late == nil, named.isEmpty, suspects.count > 1, tests.count > 1 {
      left = tests.filter { suspects.contains($0.name) }.map { [$0] }
      if !rest.isEmpty { left.append(rest) }
      return
    }
    self.tests += suspects.map { TestResult($0, title: journal.name(of: $0), .failed) }
    if ends.isEmpty || (result.late == nil && named.isEmpty) {
      added = [Self.finding(outcome, suspects.map(journal.name).sorted(), late: late, limit)]
    }
    if !rest.isEmpty, rest.count < tests.count { left = [rest] }
  }

  /// The message of a failed assertion, a failed precondition or a fatal error.
  static func lastWords(in output: String) -> String? {
    let marks = ["Fatal error", "Assertion failed", "Precondition failed"]
    let line = output.split(separator: "\n").last { line in
      marks.contains { line.contains(": \($0)") || line.hasPrefix($0) }
    }
    return line.map { String($0.prefix(longestWords)) }
  }

  private static let longestWords = 300

  /// Of a process that has written none itself.
  var ownReport: Report? {
    added.isEmpty ? nil : Report(findings: [], run: Report.Run(id: "", processes: 1))
  }

  /// The report with what the process could not know of itself.
  func complete(_ report: Report) -> Report {
    var report = report
    if let late {
      for index in report.findings.indices where report.findings[index].isPicture {
        report.findings[index].severity = .error
        report.findings[index].tests = late.sorted()
        report.findings[index].title = limit.title
      }
    }
    let whole = Report(findings: added, run: Report.Run(id: report.run.id, processes: 0))
    if !added.isEmpty { report = report.merged(with: whole) }
    for index in report.findings.indices where report.findings[index].endsProcess {
      report.findings[index].schedule =
        report.findings[index].schedule ?? schedule?.description
      if report.findings[index].kind == .crash, let lastWords {
        report.findings[index].facts.append(.init("the program said: \(lastWords)"))
      }
    }
    return report
  }

  /// What is known of an end that the process said nothing about.
  private static func finding(
    _ outcome: ChildProcess.Outcome, _ tests: [String], late: Set<String>?, _ limit: TestLimit
  ) -> Finding {
    let place = tests.isEmpty ? "between tests" : "during \(tests.joined(separator: ", "))"
    if late != nil {
      return Finding(
        kind: .hang, status: .observed,
        title: limit.title, tests: tests)
    }
    let how =
      switch outcome {
      case .exited(let status): "with status \(status)"
      case .signalled(let number): "of signal \(number)"
      case .stopped, .timedOut: "by force"
      }
    return Finding(
      kind: .crash, status: .observed, title: "Crash: the test process ended \(how) \(place)",
      tests: tests)
  }
}

extension Finding {
  /// The process does not go on after it.
  fileprivate var endsProcess: Bool { (kind == .crash || kind == .hang) && status == .observed }
  /// What all threads did when somebody asked.
  fileprivate var isPicture: Bool { kind == .hang && severity == .warning }
}
