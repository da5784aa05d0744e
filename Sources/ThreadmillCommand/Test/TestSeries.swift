import Foundation
import ThreadmillModel
import ThreadmillScheduling

/// Runs of the same tests, each in processes and with a seed of its own, and what they came to.
struct TestSeries {
  private let plan: TestPlan
  private let round: TestRound
  private let tests: [PackageTest]
  private let begin = ContinuousClock.now
  private var number = 0
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

  /// - Parameter tests: those that are chosen, of which a shard does its part.
  init(_ plan: TestPlan, _ tests: [PackageTest], in round: TestRound) {
    self.plan = plan
    self.tests = tests
    self.round = round
    if plan.policy == .portfolio, plan.count != 1 { portfolio = Portfolio(seed: plan.seed) }
  }

  /// What comes next; `nil` when it is enough. Runs in which this shard has nothing to do count.
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

  /// Runs the tests once; whether they have passed.
  mutating func perform(_ run: Tally.Run) async throws -> Bool {
    let begin = ContinuousClock.now
    var result = try await round.run(share, telling: plan.options(for: run))
    for index in result.report?.findings.indices ?? 0..<0
    where result.report?.findings[index].seed == nil {
      result.report?.findings[index].seed = run.seed?.rawValue
    }
    take(result, of: run, seconds: (ContinuousClock.now - begin) / .seconds(1))
    return result.hasPassed
  }

  private mutating func take(_ result: TestBatch.Result, of run: Tally.Run, seconds: Double) {
    let new = result.report
    let findings = (new?.findings ?? []).filter(\.counts)
    var sights = findings.map(\.sight)
    if !result.hasPassed {
      failures += 1
      if !findings.contains(where: { $0.severity == .error }) { sights.append(.failure) }
      firstFailure = firstFailure ?? Failure(run: run, output: result.output)
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
