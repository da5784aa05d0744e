import Foundation
import Testing
import ThreadmillModel
import ThreadmillTestSupport

@testable import ThreadmillReporting

@Suite struct ReportUnionTests {
  private func finding(_ function: String, count: Int = 1, seed: UInt64? = nil) -> Finding {
    let frame = Frame(address: 0, function: function)
    return Finding(
      kind: .deadlock, status: .observed, title: "t",
      participants: [.init(thread: ThreadID(1), role: "waits", frames: [frame])], count: count,
      seed: seed)
  }

  private func report(_ findings: Finding..., id: String = "r", shard: Int? = nil) -> Report {
    Report(
      findings: findings,
      run: .init(id: id, shard: shard.map { Report.Run.Shard(index: $0, total: 3) }),
      accounting: ["dropped": 1])
  }

  private func union(_ reports: Report...) -> Report { union(reports) }

  private func union(_ reports: [Report]) -> Report {
    var union = ReportUnion()
    for report in reports { union.add(StoredReport(report)) }
    return union.report
  }

  @Test func everyReportCountsOnce() {
    let (a, b) = (report(finding("f", count: 2)), report(finding("f", count: 3), finding("g")))
    let both = union(a, b, a)
    #expect(both.findings.map(\.count).sorted() == [1, 5])
    #expect(both.run.processes == 2)
    #expect(both.accounting == ["dropped": 2])
    #expect(union(both, a, both) == both)
    let (bc, c) = (union(b, report(id: "c")), report(id: "c"))
    #expect(union(both, bc) == union(a, b, c))
    var again = ReportUnion()
    let news = [both, b, bc].map { again.add(StoredReport($0)) }
    #expect(news == [true, false, true])
  }

  /// Two processes may find the same: they are not the same process.
  @Test func equalFindingsOfOthersCount() {
    let both = union(report(finding("f"), id: "a"), report(finding("f"), id: "b"))
    #expect(both.findings.map(\.count) == [2])
    let shards = union(report(finding("f"), shard: 1), report(finding("f"), shard: 2))
    #expect(shards.findings.map(\.count) == [2])
  }

  @Test func oneReportStaysAsItIs() {
    let a = union(report(finding("f"), shard: 2))
    #expect(a == report(finding("f"), shard: 2))
    #expect(a.sources.isEmpty)
  }

  @Test func theLongestExplorationOfATestStays() {
    func explored(_ schedules: Int) -> Report {
      var explored = report(id: String(schedules))
      explored.explorations = [
        ExploredTest("t", ExplorationCoverage(schedules: schedules), isComplete: false)
      ]
      return explored
    }
    let (a, b) = (explored(9), explored(20))
    #expect(union(a, b, a).explorations == b.explorations)
    #expect(a.merged(with: b).explorations == b.explorations)
    #expect(union(b, a) == union(a, b))
  }

  @Test func theLowestSeedIsKept() {
    let reports = [UInt64]([5, 3, 9]).map { report(finding("f", seed: $0), id: String($0)) }
    #expect(union(reports).findings.map(\.seed) == [3])
    #expect(union(reports.reversed()).findings.map(\.seed) == [3])
    #expect(union(reports + [report(finding("f"))]).findings.map(\.seed) == [3])
  }

  @Test func judgementsDoNotMakeAnotherReport() {
    var judged = report(finding("f"))
    judged.findings[0].judgement = .known
    let plain = report(finding("f"))
    #expect(union(judged, plain).findings.map(\.count) == [1])
    // What counts for one of them counts, whoever comes first.
    #expect(union(judged, plain) == union(plain, judged))
    #expect(union(judged, plain).findings.map(\.counts) == [true])
  }

  @Test func whatOnlySomeSaySaysNobody() {
    var (a, b) = (report(id: "a"), report(id: "b"))
    (a.run.jitter, a.run.seed) = (.heavy, Seed(rawValue: 1))
    (b.run.jitter, b.run.seed) = (.heavy, Seed(rawValue: 2))
    #expect(union(a, b).run.jitter == nil && union(a, b).run.seed == nil)
    b.run.seed = a.run.seed
    #expect(union(a, b).run.jitter == .heavy && union(a, b).run.seed == a.run.seed)
    a.run.sanitizer = "thread"
    (a.run.mode, b.run.mode) = ("explore", "observe")
    #expect(union(b, a).run.sanitizer == "thread" && union(b, a).run.mode == "explore+observe")
  }

  @Test func lostShardsAreNamed() {
    let (one, two, three) = (report(shard: 1), report(shard: 2), report(shard: 3))
    #expect(union(one, two, three).gaps == [])
    #expect(union(three, one).gaps == [Report.Gap(total: 3, missing: [2])])
    #expect(union(union(three, one), report()).gaps == [Report.Gap(total: 3, missing: [2])])
    #expect(one.gaps == [Report.Gap(total: 3, missing: [2, 3])])
    #expect(report().gaps == [])
    #expect(union(one, three).gaps.map(\.words) == ["shard 2 of 3 is"])
    #expect(one.gaps.map(\.words) == ["shards 2 and 3 of 3 are"])
    #expect(
      Report.Gap(total: 99, missing: Array(1...30)).words.hasSuffix("19, 20 and 10 more of 99 are"))
    let text = TextReport().text(for: union(one, three))
    #expect(text.contains("\n  partial: shard 2 of 3 is missing\n"))
    #expect(!TextReport().text(for: one).contains("partial"))
  }

  @Test func sourcesSurviveAsJSON() throws {
    let both = union(report(finding("f"), shard: 1), report(finding("g", count: 3), shard: 2))
    #expect(both.sources.count == 2)
    #expect(try JSONReport.report(from: JSONReport.bytes(of: both)) == both)
    // As if another version had made other fingerprints.
    let other = JSONReport.text(of: both).replacing(
      finding("g").fingerprint, with: "0000000000000000")
    #expect(try JSONReport.report(from: Array(other.utf8)) == both)
  }

  // MARK: Properties

  private func random(_ generator: inout SplitMix64) -> Report {
    let findings = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
      var one = finding(
        ["f", "g", "h"].randomElement(using: &generator) ?? "",
        count: Int.random(in: 0...5, using: &generator),
        seed: [nil, 1, 2, .max].randomElement(using: &generator) ?? nil)
      one.status = Finding.Status.allCases.randomElement(using: &generator) ?? .observed
      one.severity = Finding.Severity.allCases.randomElement(using: &generator) ?? .error
      one.title = "title \(Int.random(in: 0..<50, using: &generator))"
      one.tests = ["test \(Int.random(in: 0..<4, using: &generator))"]
      one.confirmation =
        [nil, .init(tries: 3), .init(tries: 4, test: "Bank.pays()", deadlock: one.participants)]
        .randomElement(using: &generator) ?? nil
      one.judgement =
        [
          nil, .new, .known, .suppressed(reason: "r", by: "s:1"),
          .suppressed(reason: "q", by: "s:2"),
        ]
        .randomElement(using: &generator) ?? nil
      return one
    }
    var report = Report(
      findings: findings, run: .init(id: "r\(Int.random(in: 0..<3, using: &generator))"))
    report.accounting["dropped"] = Int.random(in: 0...3, using: &generator)
    if Bool.random(using: &generator) {
      report.run.shard = .init(index: Int.random(in: 1...3, using: &generator), total: 3)
    }
    if Bool.random(using: &generator) { report.profile = profile(&generator) }
    return report
  }

  private func profile(_ generator: inout SplitMix64) -> ContentionProfile {
    var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
    counts[Int.random(in: 0..<8, using: &generator)] = 1
    let hold = DurationHistogram(counts: counts, total: 5, longest: 5)
    let place = Frame(address: 0, function: "make\(Int.random(in: 0..<2, using: &generator))")
    return ContentionProfile(classes: [
      .init(
        kind: .mutex, place: [place], acquisitions: 1, contended: 0, wait: hold, hold: hold,
        longestHolder: [place])
    ])
  }

  /// As it comes back from a file.
  private func stored(_ report: Report) throws -> Report {
    try JSONReport.report(from: JSONReport.bytes(of: report))
  }

  /// No chance of a wrong failure: the properties hold for every input.
  @Test(
    .pureComputation)
  func neitherOrderNorGroupingNorRepetitionMatters() throws {
    let seed = Seed(rawValue: 20_261_122)
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let (a, b, c) = (random(&generator), random(&generator), random(&generator))
      let all = JSONReport.bytes(of: union(a, b, c))
      for order in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a], [a, b, b, c, a]] {
        #expect(JSONReport.bytes(of: union(order)) == all)
      }
      let (ab, bc) = (try stored(union(a, b)), try stored(union(b, c)))
      #expect(JSONReport.bytes(of: union(ab, c)) == all)
      #expect(JSONReport.bytes(of: union(a, bc)) == all)
      #expect(JSONReport.bytes(of: union(ab, bc)) == all)
      #expect(JSONReport.bytes(of: union(try stored(union(ab, bc)), b, ab)) == all)
      #expect(JSONReport.bytes(of: union(ab, ab)) == JSONReport.bytes(of: union(ab)))
    }
  }
}
