import Foundation
import ThreadmillChildren
import ThreadmillModel

/// Tests of one library that run in one process. If a test ends the process, it has a finding, and
/// the remaining tests run in another process.
struct TestBatch: Sendable {
  /// The results of a batch.
  struct Result: Sendable {
    var output = ""
    /// The report of all its processes; `nil` until one was watched.
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
  /// All tests of that library.
  let all: [PackageTest]
  /// Whether each schedule of an exploration runs in a process of its own.
  var isIsolated = false

  func run(in process: TestProcess, telling options: Options) async throws -> Result {
    var result = Result()
    var waiting = [tests]
    /// Tests that need a process for each schedule.
    var isolated: Set<PackageTest> = isIsolated ? Set(tests) : []
    while !Task.isCancelled, let next = waiting.popLast() {
      let isIsolated = next.allSatisfy(isolated.contains)
      let ended = try await process.run(
        next, of: all, telling: options, in: isIsolated ? .isolate : nil)
      if Task.isCancelled {
        // A test that was interrupted has not failed.
        result.tests = TestResult.merged(result.tests + ended.tests.values)
        result.report = ended.report.map { result.report?.merged(with: $0) ?? $0 } ?? result.report
        return result
      }
      var end = TestEnd(next, ended, limit: process.limit, isIsolated: isIsolated)
      let told = try await report(
        of: ended, &end, isIsolated: isIsolated, in: process, telling: options)
      result.output += ended.child.output
      result.hasPassed = result.hasPassed && end.hasPassed
      result.tests = TestResult.merged(result.tests + end.tests)
      result.report = told.map { result.report?.merged(with: $0) ?? $0 } ?? result.report
      waiting += end.left + end.toIsolate.map { [$0] }
      isolated.formUnion(end.toIsolate)
    }
    return result
  }

  /// The report of a process. If the process crashed under a schedule, another process looks into
  /// that, and tells the crash with its steps, unless it is a crash of every order.
  private func report(
    of ended: TestProcess.Result, _ end: inout TestEnd, isIsolated: Bool, in process: TestProcess,
    telling options: Options
  ) async throws -> Report? {
    let own = (ended.report ?? end.ownReport).map(end.complete)
    guard let (test, lost) = end.crash else { return own }
    let other = try await process.run([test], of: all, telling: options, in: .lookInto(lost))
    if !other.journal.toIsolate.isEmpty {
      if isIsolated { return own }
      end.isolate(test)
      return nil
    }
    guard let told = other.report, told.findings.contains(where: \.isToldCrash) else { return own }
    return end.report(ended.report, TestEnd([test], other, limit: process.limit).complete(told))
  }
}

/// The end of a process with tests: which tests it is blamed on, and which are still to be run.
struct TestEnd {
  /// The tests that are still to be run, one process for each list.
  private(set) var left: [[PackageTest]] = []
  /// The tests that are to be explored once more, with a process for each schedule.
  private(set) var toIsolate: [PackageTest]
  private(set) var hasPassed: Bool
  /// Findings that the process could not write itself, because it ended.
  private var added: [Finding] = []
  /// The results of the tests that have ended, and of those that ended the process.
  private(set) var tests: [TestResult]
  private let late: Set<String>?
  private let limit: TestLimit
  /// The Swift runtime's message about the error that ended the process; `nil` if there is none.
  private let lastWords: String?
  /// The schedule under which the process ended, if it explored.
  private let lost: LostSchedule?
  /// The test that crashed under a schedule, and the schedule; `nil` if there is none.
  private(set) var crash: (test: PackageTest, lost: LostSchedule)?

  /// The exit status of Swift Testing if there is no test.
  private static let noTests: Int32 = 69

  /// - Parameter isIsolated: whether each schedule of the process had a process of its own.
  init(
    _ tests: [PackageTest], _ result: TestProcess.Result, limit: TestLimit,
    isIsolated: Bool = false
  ) {
    let journal = result.journal
    self.limit = limit
    let toIsolate = isIsolated ? [] : journal.toIsolate
    self.toIsolate = tests.filter { toIsolate.contains($0.name) }
    self.tests = result.tests.values.map { test in
      var test = test
      test.unexplored = toIsolate.contains(test.name) ? nil : journal.unexplored[test.name]
      return test
    }
    // Until its tests begin, the schedule of an isolated process is one of its copies'.
    let isOfCopy = isIsolated && (result.late != nil || journal.running.isEmpty)
    lost = isOfCopy ? nil : result.lost
    lastWords = LastWords.find(in: result.child.output)
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
    // At a time limit, every ended test has long been written to the journal. At a crash, the last
    // entries may be missing.
    let told =
      result.late == nil
      ? journal.ended(before: suspects, withResultsOf: Set(result.tests.keys)) : journal.ended
    let rest = tests.filter { !told.contains($0.name) && !suspects.contains($0.name) }
    // If several tests may have crashed, each of them runs again alone.
    if result.late == nil, named.isEmpty, suspects.count > 1, tests.count > 1 {
      left = tests.filter { suspects.contains($0.name) }.map { [$0] }
      if !rest.isEmpty { left.append(rest) }
      return
    }
    let crashed = tests.filter { suspects.contains($0.name) }
    if result.late == nil, crashed.count == 1, let lost, ends.allSatisfy({ $0.kind == .crash }) {
      crash = (crashed[0], lost)
      crash?.lost.test = journal.name(of: crashed[0].name)
    }
    self.tests += suspects.map { TestResult($0, title: journal.name(of: $0), .failed) }
    if ends.isEmpty || (result.late == nil && named.isEmpty) {
      added = [Self.finding(outcome, suspects.map(journal.name).sorted(), late: late, limit)]
    }
    if !rest.isEmpty, rest.count < tests.count { left = [rest] }
  }

  /// Has a test explored once more that has crashed because it had run before in its process.
  mutating func isolate(_ test: PackageTest) {
    toIsolate = [test]
    tests.removeAll { $0.name == test.name }
    hasPassed = !tests.contains { $0.outcome == .failed }
  }

  /// The report for a process that wrote none.
  var ownReport: Report? {
    added.isEmpty ? nil : Report(findings: [], run: Report.Run(id: "", processes: 1))
  }

  /// The report of the process, without the crash, which another process has told.
  func report(_ own: Report?, _ told: Report) -> Report {
    guard var own else { return told }
    own.findings.removeAll { $0.endsProcess || $0.schedule != nil }
    return own.merged(with: told)
  }

  /// Adds to the report what the process could not know itself.
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
        report.findings[index].schedule ?? lost?.schedule.description
      if report.findings[index].kind == .crash, let lastWords,
        !report.findings[index].facts.contains(where: \.isLastWords)
      {
        report.findings[index].facts.append(.init(lastWords: lastWords))
      }
    }
    if !toIsolate.isEmpty { report.forgetExplorations() }
    return report.withoutConsequencesOfDeadlocks
  }

  /// A finding for an end that the process did not report.
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

extension Report {
  /// Leaves out what explorations have covered, because the tests are explored once more.
  fileprivate mutating func forgetExplorations() {
    explorations = []
    for name in ["exploredTests", "exploredSchedules", "uncontrolledOperations"] {
      accounting[name] = nil
    }
  }
}

extension Finding {
  /// The process does not go on after it.
  fileprivate var endsProcess: Bool { (kind == .crash || kind == .hang) && status == .observed }
  /// Whether it is a crash with the steps that led to it.
  fileprivate var isToldCrash: Bool { kind == .crash && story != nil }
  /// Whether it describes all threads because that was requested.
  fileprivate var isPicture: Bool { kind == .hang && severity == .warning }
}
