import Foundation
import Testing
import ThreadmillModel
import ThreadmillReporting

@Suite struct JSONReportTests {
  private var everything: Report {
    Report(
      findings: Finding.Kind.allCases.map(Samples.finding),
      run: .init(
        id: "1-2", jitter: .nearMiss, seed: Seed(rawValue: .max),
        coverage: JitterCoverage(lockPairs: 1, threadPairs: 2),
        shard: Report.Run.Shard(index: 2, total: 5)),
      accounting: ["dropped": 3])
  }

  /// Without what does not survive on purpose: addresses, and accounts of zero.
  private func withoutAddresses(_ report: Report) -> Report {
    func bare(_ stack: Backtrace) -> Backtrace {
      stack.map { frame in
        var frame = frame
        frame.address = 0
        return frame
      }
    }
    func bare(_ participant: Finding.Participant) -> Finding.Participant {
      var participant = participant
      participant.frames = bare(participant.frames)
      participant.submitted = bare(participant.submitted)
      for k in participant.holds.indices {
        participant.holds[k].frames = bare(participant.holds[k].frames)
      }
      return participant
    }
    var report = report
    report.accounting = report.accounting.filter { $0.value != 0 }
    for i in report.findings.indices {
      for j in report.findings[i].facts.indices {
        report.findings[i].facts[j].frames = bare(report.findings[i].facts[j].frames)
      }
      report.findings[i].participants = report.findings[i].participants.map(bare)
      if let deadlock = report.findings[i].confirmation?.deadlock {
        report.findings[i].confirmation?.deadlock = deadlock.map(bare)
      }
      for j in report.findings[i].facts.indices {
        report.findings[i].facts[j].frames = bare(report.findings[i].facts[j].frames)
      }
      for j in report.findings[i].objects.indices {
        report.findings[i].objects[j].created = bare(report.findings[i].objects[j].created)
      }
    }
    return report
  }

  @Test func everythingButAddressesSurvives() throws {
    let tried = [true, false].map(Samples.tried)
    let others = [tried, []].map { Report(findings: $0, run: .init(id: "")) }
    for report in [everything, Samples.report] + others {
      let read = try JSONReport.report(from: JSONReport.bytes(of: report))
      #expect(read == withoutAddresses(report))
      #expect(read.findings.map(\.fingerprint) == report.findings.map(\.fingerprint))
      #expect(JSONReport.bytes(of: read) == JSONReport.bytes(of: report))
    }
  }

  @Test func limitsSurvive() throws {
    var finding = Samples.finding(.dataRace)
    finding.seed = .max
    finding.count = .max
    finding.participants[0].thread = ThreadID(.max)
    finding.participants[0].wants = LockID(.max)
    finding.participants[0].frames = [
      Frame(address: 0, offset: .max), Frame(address: 0), Frame(address: 0, function: ""),
      Frame(address: 0, line: .max), Frame(address: 0, image: "a.so"),
    ]
    let report = withoutAddresses(Report(findings: [finding], run: .init(id: "r")))
    #expect(try JSONReport.report(from: JSONReport.bytes(of: report)) == report)
  }

  /// Names come from the program under test; each place for one gets each hostile text.
  @Test func hostileNamesSurviveAnIndependentParser() throws {
    for text in HostileText.fixed {
      var finding = Samples.finding(.lockOrderCycle)
      finding.title = text
      finding.tests = [text]
      finding.schedule = text
      finding.reason = text
      finding.objects[0].label = text
      finding.participants[0].threadName = text
      finding.participants[0].role = text
      finding.participants[0].frames = [
        Frame(address: 0, function: text, file: text, line: 1, image: text)
      ]
      let report = Report(
        findings: [finding], run: .init(id: text, mode: text, sanitizer: text),
        accounting: [text: 1])
      let bytes = JSONReport.bytes(of: report)
      let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let read = (root?["findings"] as? [[String: Any]])?.first
      #expect((read?["title"] as? String).map { Array($0.utf8) } == Array(text.utf8))
      #expect((read?["tests"] as? [String])?.map { Array($0.utf8) } == [Array(text.utf8)])
      #expect(
        (root?["accounting"] as? [String: Int])?.keys.map { Array($0.utf8) } == [Array(text.utf8)])
      #expect(try JSONReport.report(from: bytes) == withoutAddresses(report))
    }
  }

  /// The schema that others rely on, read as they would read it.
  @Test func theSchemaIsWhatIsPromised() throws {
    let bytes = JSONReport.bytes(of: Samples.report)
    let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(Set(root.keys) == ["version", "findings", "run", "accounting"])
    #expect(root["version"] as? Int == 1)
    #expect(
      root["accounting"] as? [String: Int] == ["unsymbolicatedFrames": 12, "droppedEvents": 1])
    let findings = try #require(root["findings"] as? [[String: Any]])
    let cycle = findings[0]
    #expect(
      Set(cycle.keys) == [
        "kind", "status", "severity", "title", "fingerprint", "tests", "count", "participants",
        "objects",
      ])
    #expect(cycle["kind"] as? String == "lockOrderCycle")
    #expect(cycle["fingerprint"] as? String == Samples.finding(.lockOrderCycle).fingerprint)
    #expect(findings[1]["seed"] as? Int == 42)
    #expect(findings[1]["schedule"] as? String == "tm1:3.1.4.1.5")
    let participants = try #require(cycle["participants"] as? [[String: Any]])
    #expect(participants[0]["thread"] as? String == "T3")
    #expect(participants[0]["role"] as? String == "holds L1 and waits for L12")
    let frames = try #require(participants[1]["frames"] as? [[String: Any]])
    #expect(frames[0]["function"] as? String == "Bank.audit(_:)")
    #expect(frames[0]["file"] as? String == "/home/me/bank/Sources/Bank+Audit.swift")
    #expect(frames[0]["line"] as? Int == 112)
    #expect(frames[2]["function"] as? String == "plugin.so+0x7f10")
    #expect(frames[2]["line"] == nil)
  }

  @Test(arguments: [
    ("[]", "no report: expected an object at the top (byte 0)"),
    (#"{"findings": [], "version": 9}"#, "a report of version 9; known: 1"),
    (#"{"findings": []}"#, "no report: expected an integer that fits at version (byte 0)"),
    (
      #"{"findings": [], "version": 1, "run": 5}"#,
      "no report: expected an object at run (byte 38)"
    ),
    (
      #"{"findings": [{}], "version": 1}"#,
      "no report: expected a string at findings[0].kind (byte 14)"
    ),
    (
      #"{"findings": [], "version": 1, "é": 0, "run": {"id": "x", "processes": "y"}}"#,
      "no report: expected an integer that fits at run.processes (byte 72)"
    ),
    ("{", "not JSON: unexpected end at byte 1"),
    (
      #"{"version": 1, "findings": [], "run": {"id": "a", "processes": 1, "mode": "m"}, "#
        + #""accounting": {"x\n": 1.5}}"#,
      #"no report: expected an integer that fits at accounting.x\u{A} (byte 102)"#
    ),
  ])
  func whatIsNoReportIsRejectedWithItsPlace(text: String, message: String) {
    let error = #expect(throws: ReportFormatError.self) {
      try JSONReport.report(from: Array(text.utf8))
    }
    #expect(error?.description == message)
  }

  @Test func unknownMembersAreIgnored() throws {
    let text = JSONReport.text(of: Samples.report)
    let longer = text.replacingOccurrences(of: "{\n", with: "{\n\"later\": [1.5, {}],\n")
    let read = try JSONReport.report(from: Array(longer.utf8))
    #expect(read == withoutAddresses(read))
    #expect(
      JSONReport.text(of: read)
        == JSONReport.text(of: try JSONReport.report(from: Array(text.utf8))))
  }
}
