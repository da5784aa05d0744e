import Testing
import ThreadmillModel

@testable import ThreadmillReporting

@Suite struct JudgingTests {
  private static let today = Day(year: 2027, month: 1, day: 31)!

  private func finding(_ function: String, _ status: Finding.Status = .observed) -> Finding {
    let frame = Frame(address: 0, function: function, file: "/w/Sources/\(function).swift")
    let system = Frame(address: 0, function: "lock", file: "/usr/lock.c", isSystem: true)
    return Finding(
      kind: .deadlock, status: status, title: "L1 of \(function)",
      participants: [.init(thread: ThreadID(1), role: "waits", frames: [system, frame])])
  }

  private func report(_ findings: Finding...) -> Report {
    Report(findings: findings, run: .init(id: "r"))
  }

  private func suppressions(_ entries: Suppression...) -> Suppressions {
    Suppressions(file: "s.txt", entries: entries)
  }

  private func entry(
    _ function: String, kind: Finding.Kind? = nil, until: String? = nil, line: Int
  ) -> Suppression {
    Suppression(
      kind: kind, functions: [Glob(function)], reason: "because",
      until: until.flatMap(Day.init(text:)), line: line)
  }

  @Test func aBaselineTellsNewFromKnown() {
    let baseline = Baseline(of: report(finding("f"), finding("gone")))
    let judging = Judging(baseline: baseline, today: Self.today)
    let outcome = judging.judge(report(finding("f"), finding("g"), finding("x", .filtered)))
    #expect(outcome.report.findings.map(\.judgement) == [.known, .new, nil])
    #expect(outcome.report.findings.map(\.counts) == [false, true, false])
    #expect(outcome.gone == ["\(finding("gone").fingerprint) deadlock: L of gone; in gone"])
  }

  @Test func aSuppressionHidesWhatItMatches() {
    let judging = Judging(
      suppressions: suppressions(
        entry("f", until: "2027-01-30", line: 1), entry("g", until: "2027-01-31", line: 2),
        entry("g*", line: 3), entry("lock", line: 4), entry("h", kind: .dataRace, line: 5)),
      today: Self.today)
    let outcome = judging.judge(report(finding("f"), finding("g"), finding("h")))
    #expect(
      outcome.report.findings.map(\.judgement) == [
        nil, .suppressed(reason: "because", by: "s.txt:2"), nil,
      ])
    #expect(outcome.report.findings.map(\.counts) == [true, false, true])
    #expect(outcome.expired.map(\.line) == [1])
    // Frames of the system's are no place for a suppression.
    #expect(outcome.unused.map(\.line) == [4, 5])
  }

  @Test func everyPatternNeedsAFrame() {
    let one = Suppression(
      functions: [Glob("f")], files: [Glob("Sources/f.swift")], reason: "r")
    #expect(one.matches(finding("f")))
    var both = one
    both.functions.append(Glob("g"))
    #expect(!both.matches(finding("f")))
    var elsewhere = one
    elsewhere.files.append(Glob("Tests/*"))
    #expect(!elsewhere.matches(finding("f")))
  }

  @Test func earlierJudgementsStayWhereNothingIsSaid() {
    var (known, hidden) = (finding("f"), finding("g"))
    known.judgement = .known
    hidden.judgement = .suppressed(reason: "r", by: "old:1")
    let judged = report(known, hidden)
    #expect(Judging(today: Self.today).judge(judged).report == judged)
    let empty = Judging(suppressions: suppressions(), today: Self.today)
    #expect(empty.judge(judged).report.findings.map(\.judgement) == [.known, nil])
    let fresh = Judging(baseline: Baseline(), today: Self.today)
    #expect(fresh.judge(judged).report.findings.map(\.judgement) == [.new, hidden.judgement])
  }

  @Test func notesAndCandidatesDoNotCount() {
    var note = finding("f")
    note.severity = .note
    #expect(!note.counts)
    #expect(!finding("f", .filtered).counts)
    #expect(finding("f", .potential).counts)
  }

  @Test func theTextHasALineForWhatIsJudged() {
    var (known, hidden) = (finding("f"), finding("g"))
    known.judgement = .known
    hidden.judgement = .suppressed(reason: "be\u{1B}cause", by: "s.txt:2")
    #expect(
      TextReport().text(for: report(known, hidden)) == """
        known       L1 of f [observed deadlock]
        suppressed  L1 of g [observed deadlock]
                    be\\u{1B}cause (s.txt:2)

        Threadmill: no new findings; 1 known; 1 suppressed

        """)
    let both = TextReport().text(for: report(known, finding("h")))
    #expect(both.contains("error: L1 of h [observed deadlock]\n"))
    #expect(both.hasSuffix("Threadmill: 1 finding (1 error); 1 known\n"))
  }

  @Test func judgementsSurviveAsJSON() throws {
    var findings = [finding("f"), finding("g"), finding("h"), finding("i")]
    findings[0].judgement = .new
    findings[1].judgement = .known
    findings[2].judgement = .suppressed(reason: "\"r\"", by: "s.txt:2")
    let report = Report(findings: findings, run: .init(id: "r"))
    #expect(try JSONReport.report(from: JSONReport.bytes(of: report)) == report)
  }
}

@Suite struct BaselineTests {
  @Test func itIsReadAsItWasWritten() throws {
    var baseline = Baseline(of: Samples.report)
    #expect(baseline.entries.count == 3)
    baseline.entries["0123456789abcdef"] = "words\u{1F9F5}"
    #expect(try Baseline(parsing: baseline.bytes) == baseline)
    let lines = String(decoding: baseline.bytes, as: UTF8.self).split(separator: "\n").dropFirst(2)
    #expect(lines.sorted() == Array(lines))
    #expect(
      lines.contains(
        """
        \(Samples.finding(.lockOrderCycle).fingerprint) lockOrderCycle: L and L are taken in \
        opposite orders; in Bank.audit(_:) and Bank.transfer(from:to:)
        """))
  }

  @Test func whatIsMalformedIsNamedByLine() throws {
    let text = "# head\n\n0123456789abcdef a\r\n<<<<<<< mine\n0123456789ABCDEF b\n012345678 c\n"
    let error = #expect(throws: Baseline.Malformed.self) {
      try Baseline(parsing: Array(text.utf8))
    }
    #expect(error?.lines == [4, 5, 6])
    for end in ["\n", "\r\n", " \t\n", ""] {
      #expect(
        try Baseline(parsing: Array("0123456789abcdef a\(end)".utf8)).entries
          == ["0123456789abcdef": "a"])
    }
    let long = #expect(throws: Baseline.Malformed.self) {
      try Baseline(parsing: Array("0123456789abcdef0 a\n".utf8))
    }
    #expect(long?.lines == [1])
  }

  /// What is suppressed has its reason elsewhere, and candidates that were dropped count nowhere.
  @Test func whatDoesNotCountAnywayIsNotInIt() {
    func finding(_ function: String) -> Finding {
      let frame = Frame(address: 0, function: function)
      return Finding(
        kind: .deadlock, status: .observed, title: function,
        participants: [.init(thread: ThreadID(1), role: "waits", frames: [frame])])
    }
    var (plain, hidden, dropped) = (finding("f"), finding("g"), finding("h"))
    plain.judgement = .new
    hidden.judgement = .suppressed(reason: "because", by: "s.txt:2")
    dropped.status = .filtered
    let baseline = Baseline(of: Report(findings: [plain, hidden, dropped], run: .init(id: "r")))
    #expect(Array(baseline.entries.keys) == [plain.fingerprint])
  }

  /// A title comes from the program under test, and stays on its line.
  @Test func hostileTitlesStayOnTheirLine() throws {
    for text in HostileText.fixed {
      var finding = Samples.finding(.dataRace)
      finding.title = text
      let baseline = Baseline(of: Report(findings: [finding], run: .init(id: "r")))
      #expect(try Baseline(parsing: baseline.bytes) == baseline)
    }
  }
}
