import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting
import ThreadmillScheduling

/// Runs of the same tests, each in processes and with a seed of its own, and what they came to.
struct TestSeries {
  private let plan: TestPlan
  private let package: TestPackage
  private let begin = ContinuousClock.now
  private(set) var tally = Tally()
  /// Of all runs; `nil` as long as no process has been watched.
  private(set) var report: Report?
  private(set) var portfolio: Portfolio?
  /// The most that one run has seen.
  private(set) var coverage = JitterCoverage()
  private(set) var firstFailure: Failure?
  private(set) var failures = 0

  /// The first run that failed, and what it printed.
  struct Failure {
    var run: Tally.Run
    var output: String
  }

  init(_ plan: TestPlan, of package: TestPackage) {
    self.plan = plan
    self.package = package
    if plan.policy == .portfolio, plan.count != 1 { portfolio = Portfolio(seed: plan.seed) }
  }

  /// What comes next; `nil` when it is enough.
  mutating func next() -> Tally.Run? {
    let number = tally.runs + 1
    guard firstFailure == nil || !plan.stopsAtFailure, plan.count.map({ number <= $0 }) ?? true,
      number == 1 || hasTime
    else { return nil }
    let policy = portfolio?.next() ?? plan.policy
    return Tally.Run(
      number: number, policy: policy, seed: policy == .off ? nil : plan.seed(ofNumber: number))
  }

  private var hasTime: Bool {
    plan.seconds.map { ContinuousClock.now - begin < .seconds($0) } ?? true
  }

  /// Runs the tests once; whether they have passed.
  mutating func perform(_ run: Tally.Run) async throws -> Bool {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let begin = ContinuousClock.now
    let child = try await package.test(telling: plan.options(for: run, report: file.path))
    try Task.checkCancellation()
    let report = try Self.report(in: file, of: run)
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    take(child, report, of: run, seconds: seconds)
    return child.outcome == .exited(0)
  }

  /// A report with the run's seed in its findings; `nil` if nobody has written one.
  private static func report(in file: URL, of run: Tally.Run) throws -> Report? {
    guard let bytes = try? Data(contentsOf: file) else { return nil }
    var report = try JSONReport.report(from: Array(bytes))
    for index in report.findings.indices where report.findings[index].seed == nil {
      report.findings[index].seed = run.seed?.rawValue
    }
    return report
  }

  private mutating func take(
    _ child: ChildProcess.Result, _ new: Report?, of run: Tally.Run, seconds: Double
  ) {
    let findings = (new?.findings ?? []).filter(\.counts)
    var sights = findings.map(\.sight)
    if child.outcome != .exited(0) {
      failures += 1
      if !findings.contains(where: { $0.severity == .error }) { sights.append(.failure) }
      firstFailure = firstFailure ?? Failure(run: run, output: child.output)
    }
    tally.add(run, showing: sights)
    report = new.map { report?.merged(with: $0) ?? $0 } ?? report
    let seen = new?.run.coverage ?? JitterCoverage()
    portfolio?.reward(
      run.policy, newPairs: max(0, seen.pairs - coverage.pairs), seconds: seconds)
    if seen.pairs > coverage.pairs { coverage = seen }
  }
}

extension Tally.Sight {
  /// A run that fails for nothing that Threadmill has found.
  fileprivate static let failure = Tally.Sight(
    key: "failure", title: "tests failed without a finding")
}
