import Foundation
import ThreadmillModel
import ThreadmillPlanning

/// Several runs of the same tests, each in its own processes and with its own seed, and their
/// results.
struct TestSeries {
  private let plan: TestPlan
  private let round: TestRound
  /// The chosen tests.
  private let tests: [PackageTest]
  private let begin = ContinuousClock.now
  private var number = 0
  private(set) var tally = Tally()
  /// The report of all runs; `nil` until a process was watched.
  private(set) var report: Report?
  /// Whether a test passes undisturbed, by name, for tests that failed while they were disturbed.
  private var passing: [String: Bool] = [:]
  private(set) var portfolio: Portfolio?
  /// The coverage of the run that saw the most.
  private(set) var coverage = JitterCoverage()
  private(set) var firstFailure: Failure?
  /// How often the first failing run failed again with its seed; `nil` if it was not run again.
  private(set) var recurrence: Recurrence?
  private(set) var failures = 0
  /// The fingerprints of findings for which no test has failed.
  private var foundByTrial: Set<String> = []
  /// Whether the last run was ended before its tests were.
  private(set) var isInterrupted = false

  /// The first run that failed, and what it printed.
  struct Failure {
    var run: Tally.Run
    var output: String
    /// The tests that failed, by name; empty if no test did.
    var tests: [String]
  }

  /// Further runs with one seed.
  struct Recurrence {
    var runs = 0
    var failures = 0
  }

  /// - Parameter tests: the chosen tests, of which a shard runs its part.
  init(_ plan: TestPlan, _ tests: [PackageTest], in round: TestRound) {
    self.plan = plan
    self.tests = tests
    self.round = round
    if plan.policy == .portfolio, plan.count != 1 { portfolio = Portfolio(seed: plan.seed) }
  }

  /// Returns the next run; `nil` after the last one. A run without a test for this shard counts.
  mutating func next() -> Tally.Run? {
    guard firstFailure == nil || !plan.stopsAtFailure else { return nil }
    repeat { number += 1 } while share.isEmpty && number <= plan.count ?? number
    guard plan.count.map({ number <= $0 }) ?? true, number == 1 || hasTime else { return nil }
    let policy = portfolio?.next() ?? plan.policy
    return Tally.Run(
      number: number, policy: policy, seed: policy == .off ? nil : plan.seed(ofNumber: number))
  }

  private var share: [PackageTest] { TestShard.share(of: tests, run: number, plan.shard) }

  private var hasTime: Bool {
    plan.seconds.map { ContinuousClock.now - begin < .seconds($0) } ?? true
  }

  /// Runs the tests once.
  mutating func perform(_ run: Tally.Run) async throws -> TestBatch.Result {
    let begin = ContinuousClock.now
    var result = try await round.run(share, telling: plan.options(for: run))
    result.explain()
    for index in result.report?.findings.indices ?? 0..<0
    where result.report?.findings[index].seed == nil {
      result.report?.findings[index].seed = run.seed?.rawValue
    }
    try await markSensitive(in: &result, of: run)
    take(result, of: run, seconds: (ContinuousClock.now - begin) / .seconds(1))
    return result
  }

  /// Runs the tests of the first failing run again with its seed, to say in numbers what the seed
  /// repeats: it draws every delay, and the system decides the rest.
  ///
  /// - Parameter telling: called before each run with its number.
  mutating func measureRecurrence(telling: (Int) -> Void) async throws {
    guard let failure = firstFailure, failure.run.policy != .off, plan.count != 1 else { return }
    let share = TestShard.share(of: tests, run: failure.run.number, plan.shard)
    let failed = share.filter { failure.tests.contains($0.name) }
    let begin = ContinuousClock.now
    var counts = Recurrence()
    while counts.runs < Self.furtherRuns, !Task.isCancelled,
      counts.runs == 0 || ContinuousClock.now - begin < Self.furtherTime
    {
      telling(counts.runs + 1)
      let result = try await round.run(
        failed.isEmpty ? share : failed, telling: plan.options(for: failure.run))
      if Task.isCancelled { return }
      counts.runs += 1
      counts.failures += result.hasPassed ? 0 : 1
    }
    if counts.runs > 0 { recurrence = counts }
  }

  /// Tries out the potential lock order cycles that were found, if the plan asks for it.
  ///
  /// - Parameter telling: called with what is about to be done.
  mutating func confirmCycles(telling: (String) -> Void) async throws {
    guard plan.confirmsByExploring, let report, !Task.isCancelled else { return }
    var trial = CycleTrial(plan, tests, in: round, report)
    try await trial.run(telling: telling)
    self.report = trial.report
    foundByTrial = trial.found
  }

  /// Whether trying out has made an error that no test has failed for, and that counts.
  func hasFoundByTrial(_ report: Report) -> Bool {
    report.findings.contains { $0.counts && foundByTrial.contains($0.fingerprint) }
  }

  private static let furtherRuns = 5
  private static let furtherTime = Duration.seconds(60)

  /// Marks the tests that pass as soon as nothing disturbs them: each that fails for no finding is
  /// run again in this way, once in the series. What is found then counts as well.
  private mutating func markSensitive(
    in result: inout TestBatch.Result, of run: Tally.Run
  ) async throws {
    guard run.policy != .off, !Task.isCancelled, let failed = result.report?.unexplained,
      !failed.isEmpty
    else { return }
    let unknown = Set(failed.map(\.name)).subtracting(passing.keys)
    if !unknown.isEmpty {
      var calm = run
      calm.policy = .off
      let again = try await round.run(
        tests.filter { unknown.contains($0.name) }, telling: plan.options(for: calm))
      for test in again.tests { passing[test.name] = test.outcome == .passed }
      if let found = again.report { result.report = result.report?.merged(with: found) }
    }
    for index in result.report?.tests.indices ?? 0..<0 {
      guard let test = result.report?.tests[index], test.outcome == .failed else { continue }
      result.report?.tests[index].isSensitive = passing[test.name] ?? false
    }
  }

  private mutating func take(_ result: TestBatch.Result, of run: Tally.Run, seconds: Double) {
    let new = result.report
    let findings = (new?.findings ?? []).filter(\.counts)
    var sights = findings.map(\.sight)
    let hasError = findings.contains { $0.severity == .error }
    isInterrupted = Task.isCancelled
    if !result.hasPassed || (isInterrupted && hasError) {
      failures += 1
      let failures = new?.unexplained.map(Tally.Sight.init(failureOf:)) ?? []
      let isExplained = !failures.isEmpty || hasError
      sights += isExplained ? failures : [.failure]
      let failed = result.tests.filter { $0.outcome == .failed }.map(\.name)
      firstFailure = firstFailure ?? Failure(run: run, output: result.output, tests: failed)
    }
    // A run that was interrupted has neither passed nor failed until it has shown something.
    if !isInterrupted || !sights.isEmpty { tally.add(run, showing: sights) }
    report = new.map { report?.merged(with: $0) ?? $0 } ?? report
    let seen = new?.run.coverage ?? JitterCoverage()
    portfolio?.reward(
      run.policy, newPairs: max(0, seen.pairs - coverage.pairs), seconds: seconds)
    if seen.pairs > coverage.pairs { coverage = seen }
  }
}

extension Tally.Sight {
  /// A run that fails, while no test has and nothing was found.
  fileprivate static let failure = Tally.Sight(
    key: "failure", title: "the test process failed")

  /// A test that has failed for something else than a finding.
  fileprivate init(failureOf test: TestResult) {
    self.init(
      key: "failure of \(test.name)",
      title: "\(test.name) \(test.isSensitive ? "is sensitive to timing" : "failed")")
  }
}
