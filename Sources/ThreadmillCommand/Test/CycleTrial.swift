import ThreadmillModel

/// Tries out the potential lock order cycles in a report of tests: explores the tests of each, and
/// steers those that no exploration has reached.
struct CycleTrial {
  private let plan: TestPlan
  private let round: TestRound
  /// The tests by their names in findings.
  private let tests: [String: PackageTest]
  private(set) var report: Report
  /// The fingerprints of findings for which no test has failed: only the trial has made them.
  private(set) var found: Set<String> = []

  init(_ plan: TestPlan, _ tests: [PackageTest], in round: TestRound, _ report: Report) {
    (self.plan, self.report) = (plan, report)
    self.round = round.exploring
    let named = Dictionary(tests.map { ($0.name, $0) }) { first, _ in first }
    let pairs = report.tests.compactMap { test in named[test.name].map { (test.title, $0) } }
    self.tests = Dictionary(pairs) { first, _ in first }
  }

  private var open: [Finding] { report.findings.filter(\.isOpenCycle) }

  /// The candidates by class that no exploration has tried, and whose deadlock has not happened.
  private var untried: [Finding] {
    let deadlocks = report.findings.filter { $0.kind == .deadlock }
    return report.classCandidates.filter { candidate in
      candidate.confirmation == nil && !deadlocks.contains { candidate.threads(of: $0) != nil }
    }
  }

  /// - Parameter telling: called before each exploration with the name of its test.
  mutating func run(telling: (String) -> Void) async throws {
    for title in Set((open + untried).flatMap(\.tests)).sorted() {
      let cycles = (open + untried).filter { $0.tests.contains(title) }
      guard !Task.isCancelled, let test = tests[title], !cycles.isEmpty else { continue }
      telling("exploring \(title)")
      try await explore(test, CycleConfirmation(of: title, cycles))
    }
    let left = Set(open.flatMap(\.tests)).compactMap { tests[$0] }
    guard !left.isEmpty, !Task.isCancelled else { return }
    telling("steering what no schedule has reached")
    try await steer(left.sorted { $0.name < $1.name })
  }

  private mutating func explore(
    _ test: PackageTest, _ confirmation: CycleConfirmation
  ) async throws {
    var (confirmation, number, goesOn) = (confirmation, 0, true)
    while goesOn {
      number += 1
      let options = plan.options(ofExploration: number, towards: confirmation.lines)
      var result = try await round.run([test], telling: options)
      if Task.isCancelled { return }
      result.explain()
      let explored = result.report ?? RunReport.empty
      goesOn = confirmation.take(explored)
      report = report.merged(with: explored.onExplorations(isFirst: number == 1))
    }
    for cycle in confirmation.settled { replace(cycle, tries: confirmation.schedules) }
    report = report.merged(with: report.withOnly(confirmation.others))
    found.formUnion(confirmation.others.map(\.fingerprint))
  }

  /// Runs tests once more, and has the process hold the threads of each cycle in real time. That
  /// reaches what an exploration does not: an order that only sleeps keep.
  private mutating func steer(_ tests: [PackageTest]) async throws {
    let result = try await round.run(tests, telling: plan.optionsOfSteering)
    let cycles = open
    for steered in result.report?.findings ?? [] where steered.confirmation != nil {
      guard let cycle = cycles.first(where: { $0.fingerprint == steered.fingerprint }) else {
        continue
      }
      var steered = steered
      (steered.count, steered.tests) = (cycle.count, cycle.tests)
      steered.judgement = cycle.judgement
      steered.facts += cycle.facts.filter { !steered.facts.contains($0) }
      replace(steered)
    }
  }

  /// - Parameter tries: the number of schedules that have not reached a candidate.
  private mutating func replace(_ cycle: Finding, tries: Int = 0) {
    let fingerprint = cycle.fingerprint
    let place = report.findings.firstIndex {
      $0.kind == cycle.kind && $0.fingerprint == fingerprint
    }
    if let place {
      report.findings[place] = cycle
    } else if cycle.status == .confirmed {
      report = report.merged(with: report.withOnly([cycle]))
      found.insert(fingerprint)
    } else if let place = report.classCandidates.firstIndex(where: {
      $0.fingerprint == fingerprint
    }) {
      report.classCandidates[place] = cycle
      report.classCandidates[place].confirmation = .init(tries: tries)
    }
  }
}

extension Report {
  /// Findings as a report of the same run that adds nothing else.
  fileprivate func withOnly(_ findings: [Finding]) -> Report {
    Report(findings: findings, run: .init(id: run.id, processes: 0))
  }

  /// The report's explorations alone, without findings and results of tests. A test that is
  /// explored again is no further test.
  fileprivate func onExplorations(isFirst: Bool) -> Report {
    let counts =
      ["exploredSchedules", "uncontrolledOperations"] + (isFirst ? ["exploredTests"] : [])
    return Report(
      findings: [], run: run, explorations: explorations,
      accounting: accounting.filter { counts.contains($0.key) })
  }
}
