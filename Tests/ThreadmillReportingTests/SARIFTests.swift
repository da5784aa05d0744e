import Foundation
import Testing
import ThreadmillModel
import ThreadmillTestSupport

@testable import ThreadmillFormats
@testable import ThreadmillReporting

/// What the schema does not say about a SARIF report.
@Suite struct SARIFTests {
  private func run(
    _ findings: [Finding], _ context: ReportContext = Samples.context
  ) throws -> [String: Any] {
    let report = Report(findings: findings, run: .init(id: "r"))
    let bytes = SARIFReport.bytes(of: report, context)
    let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return try #require((root?["runs"] as? [[String: Any]])?.first)
  }

  private func results(_ run: [String: Any]) -> [[String: Any]] {
    run["results"] as? [[String: Any]] ?? []
  }

  private func notifications(_ run: [String: Any]) -> [String] {
    let invocation = (run["invocations"] as? [[String: Any]])?.first
    let told = invocation?["toolExecutionNotifications"] as? [[String: Any]] ?? []
    return told.compactMap { ($0["message"] as? [String: String])?["text"] }
  }

  /// The place of a location, as it would be typed.
  private func place(_ location: Any?) -> String {
    let physical = (location as? [String: Any])?["physicalLocation"] as? [String: Any]
    let artifact = physical?["artifactLocation"] as? [String: Any]
    let region = physical?["region"] as? [String: Any]
    let numbers = ["startLine", "startColumn"].map { (region?[$0] as? Int).map(String.init) ?? "-" }
    return "\(artifact?["uri"] ?? "?"):\(numbers.joined(separator: ":"))"
  }

  /// No thread is to blame for a failed expectation; its place is a fact.
  @Test func anExpectationStandsAtItsLine() throws {
    var finding = Finding(kind: .assertionFailure, status: .observed, title: "it fails")
    finding.facts = [
      .init(
        "the expectation that failed",
        frames: [Frame(address: 0, file: "\(Samples.folder)/Tests/BankTests.swift", line: 33)])
    ]
    let result = try #require(results(try run([finding])).first)
    let locations = try #require(result["locations"] as? [[String: Any]])
    #expect(locations.map(place) == ["Tests/BankTests.swift:33:-"])
    let report = Report(findings: [finding], run: .init(id: "r"))
    let annotations = String(
      decoding: GitHubReport.bytes(of: report, Samples.context), as: UTF8.self)
    #expect(annotations.hasPrefix("::error file=Tests/BankTests.swift,line=33,"))
  }

  @Test func aFindingStandsAtTheUsersLine() throws {
    let result = try #require(results(try run([Samples.finding(.lockOrderCycle)])).first)
    let locations = try #require(result["locations"] as? [[String: Any]])
    #expect(locations.map(place) == ["Sources/Bank.swift:41:5"])
    let related = try #require(result["relatedLocations"] as? [[String: Any]])
    #expect(
      related.map(place) == [
        "Sources/Bank.swift:41:5", "Sources/Bank%2BAudit.swift:112:5", "Sources/Account.swift:12:5",
      ])
    #expect(related.compactMap { $0["id"] as? Int } == [1, 2, 3])
    let fingerprint = Samples.finding(.lockOrderCycle).fingerprint
    #expect(
      result["partialFingerprints"] as? [String: String] == [
        "primaryLocationLineHash": "\(fingerprint):1", "threadmill/v1": fingerprint,
      ])
    #expect(result["occurrenceCount"] as? Int == 3)
  }

  /// One flow for each thread: where its work came from, what it took, what it waits for.
  @Test func eachThreadHasItsFlow() throws {
    let result = try #require(results(try run([Samples.tried(reached: true)])).first)
    let flows = try #require(result["codeFlows"] as? [[String: Any]])
    let threads = flows.map { $0["threadFlows"] as? [[String: Any]] ?? [] }
    #expect(
      threads.map { $0.compactMap { $0["id"] as? String } } == [["T3", "T14"], ["T3", "T14"]])
    let steps = try #require(threads.first?.first?["locations"] as? [[String: Any]])
    #expect(
      steps.compactMap { $0["importance"] as? String } == ["unimportant", "important", "essential"])
    #expect(
      steps.compactMap { $0["kinds"] as? [String] } == [
        ["call"], ["acquire", "lock"], ["acquire", "lock"],
      ])
    #expect(
      steps.map { place($0["location"]) } == [
        "Sources/Teller.swift:27:5", "Sources/Bank.swift:40:5", "Sources/Bank.swift:41:5",
      ])
    let race = try #require(results(try run([Samples.finding(.dataRace)])).first)
    let access = try #require((race["codeFlows"] as? [[String: Any]])?.first)
    let first = (access["threadFlows"] as? [[String: Any]])?.first?["locations"] as? [[String: Any]]
    #expect(first?.map { $0["kinds"] as? [String] } == [["memory"]])
  }

  /// GitHub refuses the whole file for one result without a place.
  @Test func whatHasNoPlaceIsInTheProject() throws {
    let result = try #require(results(try run([Samples.finding(.crash)])).first)
    #expect((result["locations"] as? [Any])?.map(place) == [".:-:-"])
  }

  @Test(arguments: [
    ("/home/me/bank/A b.swift", "A%20b.swift", "%SRCROOT%"),
    ("/home/me/bank/é#?%.swift", "%C3%A9%23%3F%25.swift", "%SRCROOT%"),
    ("/home/me/banks/A.swift", "file:///home/me/banks/A.swift", nil),
    ("a:b/A.swift", "a%3Ab/A.swift", "%SRCROOT%"),
  ])
  func pathsAreURIs(file: String, uri: String, base: String?) throws {
    var finding = Samples.finding(.crash)
    finding.participants[0].frames = [Frame(address: 0, file: file, line: 1)]
    let result = try #require(results(try run([finding])).first)
    let location = (result["locations"] as? [[String: Any]])?.first
    let physical = location?["physicalLocation"] as? [String: Any]
    let artifact = physical?["artifactLocation"] as? [String: String]
    #expect(artifact?["uri"] == uri)
    #expect(artifact?["uriBaseId"] == base)
  }

  /// The compiler counts bytes, and SARIF the units of UTF-16.
  @Test func columnsAreCountedAsSARIFDoes() throws {
    var finding = Samples.finding(.crash)
    finding.participants[0].frames = [Frame(address: 0, file: "A.swift", line: 1, column: 7)]
    let context = ReportContext { _ in ["é🧵x"] }
    #expect(
      (results(try run([finding], context)).first?["locations"] as? [Any])?.map(place)
        == ["A.swift:1:4"])
    #expect(
      (results(try run([finding], ReportContext())).first?["locations"] as? [Any])?.map(place)
        == ["A.swift:1:7"])
  }

  @Test(
    .pureComputation)
  func whatIsLeftOutIsTold() throws {
    let dropped = Samples.finding(.operationCycle)
    #expect(notifications(try run([dropped])) == ["1 candidate ruled out"])
    #expect(results(try run([dropped])).isEmpty)
    var severe = Samples.finding(.crash)
    severe.participants = []
    var mild = severe
    mild.severity = .warning
    let many = try run(Array(repeating: mild, count: SARIFCuts.mostResults) + [severe])
    #expect(results(many).count == SARIFCuts.mostResults)
    #expect(results(many).first?["level"] as? String == "error")
    #expect(
      notifications(many) == [
        "1 result left out, the least severe: GitHub takes 25000 results"
      ])
    severe.participants = Samples.alone("waits")
    severe.participants = Array(repeating: severe.participants[0], count: 12_000)
    let wide = try run([severe])
    #expect((results(wide).first?["relatedLocations"] as? [Any])?.count == 999)
    #expect(
      notifications(wide) == [
        "11001 related locations left out, the last ones: GitHub takes 1000 locations of a result",
        "2000 steps of code flows left out, the last ones: GitHub takes 10000 steps of a result",
      ])
  }

  /// The results are findings; a test that failed for something else is told beside them.
  @Test func failedTestsAreTold() throws {
    let report = Report(
      findings: [], run: .init(id: "r"),
      tests: [
        TestResult("M.S/adds()", .failed, issues: [.init("1 != 2", file: "/w/S.swift", line: 7)]),
        TestResult("M.S/dies()", .failed), TestResult("M.S/passes()", .passed),
      ])
    let bytes = SARIFReport.bytes(of: report, ReportContext(folder: "/w"))
    let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let run = try #require((root?["runs"] as? [[String: Any]])?.first)
    #expect(
      notifications(run) == [
        "M.S/adds() failed without a finding: 1 != 2 (S.swift:7)",
        "M.S/dies() failed without a finding: failed without a message",
      ])
    #expect(results(run).isEmpty)
  }

  /// GitHub refuses a file that is too long when it is packed.
  @Test func aLongFileIsCut() async throws {
    let seed: UInt64 = 41
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var findings = (0..<60).map { _ in
      var finding = Samples.finding(.deadlock)
      finding.severity = .warning
      finding.title = String(
        (0..<400).map { _ in
          Character(Unicode.Scalar(UInt8.random(in: 48..<123, using: &generator)))
        })
      return finding
    }
    findings[50].severity = .error
    let report = Report(findings: findings, run: .init(id: "r"))
    let whole = SARIFReport.bytes(of: report, Samples.context)
    let empty = SARIFReport.bytes(of: Report(findings: [], run: report.run), Samples.context)
    let limit = (PackedSize.limit(of: whole) + PackedSize.limit(of: empty)) / 2
    let bytes = SARIFReport.bytes(of: report, Samples.context, mostBytes: limit)
    let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let run = try #require((root?["runs"] as? [[String: Any]])?.first)
    let kept = results(run).count
    #expect(kept > 5 && kept < 60)
    #expect(results(run).first?["level"] as? String == "error")
    #expect(
      notifications(run) == [
        "\(60 - kept) results left out, the least severe: GitHub takes 10 MB of a packed file"
      ])
    // What it is packed to by others is no more than what was reckoned with.
    for one in [whole, bytes, Array("a".utf8), JSONReport.bytes(of: Samples.everyKind)] {
      let packed: Int = try await Outsider.python(
        "import gzip, sys; print(len(gzip.compress(open(sys.argv[1], 'rb').read())))", on: one)
      #expect(packed <= PackedSize.limit(of: one))
      #expect(PackedSize.limit(of: one) <= packed * 3 + 100)
      if one == bytes { #expect(packed <= limit) }
    }
  }

  @Test func everyKindHasARuleOfItsOwn() {
    #expect(Set(Finding.Kind.allCases.map(\.name)).count == Finding.Kind.allCases.count)
    #expect(Set(Finding.Kind.allCases.map(\.explanation)).count == Finding.Kind.allCases.count)
  }
}
