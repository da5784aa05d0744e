import Testing
import ThreadmillModel

/// Vigna's splitmix64: small, and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// One of the values, all with the same chance; there has to be one.
  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }
}

@Suite struct MergingTests {
  private func finding(
    _ function: String, kind: Finding.Kind = .lockOrderCycle, status: Finding.Status = .potential,
    severity: Finding.Severity = .error, title: String = "t", tests: [String] = [], count: Int = 1
  ) -> Finding {
    let frame = Frame(address: 1, function: function)
    return Finding(
      kind: kind, status: status, severity: severity, title: title,
      participants: [.init(thread: ThreadID(1), role: "waits", frames: [frame])], tests: tests,
      count: count)
  }

  /// A cycle that is a finding in one of the reports is no candidate of both.
  @Test func candidatesAreUnitedAndGiveWayToFindings() {
    let (one, other) = (finding("a"), finding("b"))
    let run = Report.Run(id: "r")
    let first = Report(findings: [], classCandidates: [one], run: run)
    let second = Report(findings: [], classCandidates: [other, one], run: run)
    let both = first.merged(with: second)
    #expect(Set(both.classCandidates.map(\.fingerprint)) == [one.fingerprint, other.fingerprint])
    #expect(both.findings.isEmpty)
    let found = both.merged(with: report(other))
    #expect(found.classCandidates.map(\.fingerprint) == [one.fingerprint])
    #expect(found.findings == [other])
  }

  private func report(
    _ findings: Finding..., processes: Int = 1, accounting: [String: Int] = [:]
  ) -> Report {
    Report(
      findings: findings, run: .init(id: "r", processes: processes), accounting: accounting)
  }

  @Test func oneFingerprintBecomesOneFinding() {
    let a = report(finding("f()", title: "first", tests: ["B", "A"], count: 2), finding("g()"))
    let b = report(finding("f()", title: "second", tests: ["C", "A"], count: 3))
    let merged = a.merged(with: b)
    let expected = [
      finding("f()", title: "first", tests: ["A", "B", "C"], count: 5), finding("g()"),
    ]
    #expect(merged.findings == expected.sorted { $0.fingerprint < $1.fingerprint })
  }

  @Test func accountsAndProcessesAddUp() {
    let a = report(processes: 2, accounting: ["dropped": 1, "cut": 5])
    let b = report(processes: 3, accounting: ["dropped": 2, "lost": 7])
    let merged = a.merged(with: b)
    #expect(merged.run.processes == 5)
    #expect(merged.accounting == ["dropped": 3, "cut": 5, "lost": 7])
  }

  /// Which pairs both have seen nobody knows, so the sum would be too much.
  @Test func coverageIsTheGreaterOne() {
    var (a, b) = (report(), report())
    #expect(a.merged(with: b).run.coverage == nil)
    a.run.coverage = JitterCoverage(lockPairs: 3, threadPairs: 1)
    #expect(a.merged(with: b).run.coverage == a.run.coverage)
    #expect(b.merged(with: a).run.coverage == a.run.coverage)
    b.run.coverage = JitterCoverage(lockPairs: 1, threadPairs: 9)
    #expect(a.merged(with: b).run.coverage == b.run.coverage)
    #expect(b.merged(with: a).run.coverage == b.run.coverage)
  }

  @Test func theStrongerOneGivesTheDetails() {
    var confirmed = finding("f()", status: .confirmed, severity: .warning, title: "steered")
    confirmed.seed = 42
    let others = [
      finding("f()", status: .filtered), finding("f()", status: .potential),
      finding("f()", status: .observed),
    ]
    for other in others {
      for merged in [
        report(other).merged(with: report(confirmed)),
        report(confirmed).merged(with: report(other)),
      ] {
        #expect(merged.findings.map(\.title) == ["steered"])
        #expect(merged.findings.map(\.seed) == [42])
        #expect(merged.findings.map(\.severity) == [.warning])
        #expect(merged.findings.map(\.count) == [2])
      }
    }
  }

  /// A cycle is in the file already when it is tried out, and is counted once all the same.
  @Test func aConfirmationIsAddedWithoutACount() {
    let potential = finding("f()", tests: ["A"])
    var confirmed = potential
    confirmed.status = .confirmed
    confirmed.seed = 42
    confirmed.confirmation = .init(tries: 2, deadlock: potential.participants)
    var added = confirmed
    added.count = 0
    #expect(report(potential).merged(with: report(added)).findings == [confirmed])

    var tried = potential
    tried.confirmation = .init(tries: 20)
    added = tried
    added.count = 0
    #expect(report(potential).merged(with: report(added)).findings == [tried])
  }

  @Test func theOrderIsSeverityThenKindThenFingerprint() {
    let a = report(
      finding("a", severity: .note), finding("b", kind: .hang), finding("c", kind: .dataRace))
    let b = report(finding("d", severity: .warning), finding("e", kind: .dataRace))
    let merged = a.merged(with: b).findings
    #expect(merged.map(\.severity) == [.error, .error, .error, .warning, .note])
    #expect(merged.map(\.kind).prefix(3) == [.dataRace, .dataRace, .hang])
    #expect(merged[0].fingerprint < merged[1].fingerprint)
  }

  @Test func sumsStopAtTheirLimit() {
    let a = report(finding("f()", count: .max), processes: .max, accounting: ["dropped": .max])
    let merged = a.merged(with: a)
    #expect(merged.findings.map(\.count) == [.max])
    #expect(merged.run.processes == .max)
    #expect(merged.accounting == ["dropped": .max])
  }

  private func randomReport(_ generator: inout SeededGenerator) -> Report {
    let findings = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      finding(
        generator.pick(["f()", "g()", "h()"]),
        kind: generator.pick([.deadlock, .dataRace]),
        status: generator.pick(Finding.Status.allCases),
        severity: generator.pick(Finding.Severity.allCases),
        title: "title \(Int.random(in: 0..<1000, using: &generator))",
        tests: (0..<2).map { _ in "test \(Int.random(in: 0..<4, using: &generator))" },
        count: Int.random(in: 1...5, using: &generator))
    }
    var report = Report(findings: findings, run: .init(id: "r"))
    report.accounting["dropped"] = Int.random(in: 1...3, using: &generator)
    return report
  }

  /// Without what is documented to come from the first of two equals.
  private func withoutDetails(_ report: Report) -> Report {
    var report = report
    for index in report.findings.indices { report.findings[index].title = "" }
    return report
  }

  /// No chance of a wrong failure: the properties hold for every input.
  @Test func propertiesHoldForRandomReports() {
    let seed: UInt64 = 20_260_211
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let (a, b, c) = (
        randomReport(&generator), randomReport(&generator), randomReport(&generator)
      )
      let nothing = Report(findings: [], run: .init(id: "r", processes: 0))
      #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
      #expect(withoutDetails(a.merged(with: b)) == withoutDetails(b.merged(with: a)))
      #expect(a.merged(with: nothing) == nothing.merged(with: a))
      let merged = a.merged(with: b)
      #expect(merged.merged(with: nothing) == merged)
      #expect(Set(merged.findings.map(\.fingerprint)).count == merged.findings.count)
      let counts = (a.findings + b.findings).map(\.count).reduce(0, +)
      #expect(merged.findings.map(\.count).reduce(0, +) == counts)
    }
  }
}
