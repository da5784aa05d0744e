import Testing
import ThreadmillModel

@testable import ThreadmillReporting

/// The line of source below a frame.
@Suite struct SourceQuoteTests {
  private func quote(_ line: String, column: Int?, number: Int = 1) -> [String]? {
    let frame = Frame(address: 0, file: "A.swift", line: number, column: column)
    let context = ReportContext { path in path == "A.swift" ? [line] : nil }
    let text = SourceQuote(frame, context)?.text ?? []
    return text.isEmpty ? nil : text
  }

  @Test func theMarkStandsUnderItsColumn() {
    #expect(quote("\t  a.lock()  ", column: 6) == ["1 | a.lock()", "  |   ^"])
    #expect(quote("a", column: 1) == ["1 | a", "  | ^"])
  }

  /// Columns are bytes: what stands before is as wide as its letters.
  @Test func lettersBeforeTheMarkAreLetters() {
    #expect(quote("é🧵\"\t\"(x)", column: 11) == ["1 | é🧵\" \"(x)", "  |       ^"])
    // In the middle of a letter the mark stands under it.
    #expect(quote("é🧵x", column: 4) == ["1 | é🧵x", "  |  ^"])
    #expect(quote("\u{1B}x", column: 2) == [#"1 | \u{1B}x"#, "  |       ^"])
  }

  @Test func whereThereIsNoSuchColumnThereIsNoMark() {
    for column in [nil, 0, -1, 3, Int.max] { #expect(quote("ab", column: column) == ["1 | ab"]) }
  }

  @Test func whereThereIsNoSuchLineThereIsNoQuote() {
    #expect(quote("", column: 1) == nil)
    #expect(quote("  ", column: 1) == nil)
    for number in [0, -1, 2, Int.max] { #expect(quote("a", column: 1, number: number) == nil) }
    let other = Frame(address: 0, file: "B.swift", line: 1)
    #expect(SourceQuote(other, ReportContext { $0 == "A.swift" ? ["a"] : nil }) == nil)
  }

  @Test func aLongLineIsCutAroundItsMark() throws {
    let line = String(repeating: "a", count: 500) + "b" + String(repeating: "c", count: 500)
    let lines = try #require(quote(line, column: 501))
    #expect(lines.map(\.count).max() == SourceQuote.longest + 5)
    let marked = zip(lines[0], lines[1]).first { $1 == "^" }
    #expect(marked?.0 == "b")
    #expect(quote(line, column: nil) == ["1 | \(String(repeating: "a", count: 100))…"])
  }

  /// One line for each thread, and none in the message of a failing test.
  @Test func eachThreadHasOneQuote() {
    let report = TextReport(Samples.context)
    var finding = Samples.finding(.lockOrderCycle)
    func quotes() -> [Substring] {
      report.text(for: finding).split(separator: "\n").filter { $0.contains("| ") }
    }
    #expect(
      quotes().map { $0.drop { $0 == " " } } == ["41 | for a in b { ledger.lock() }", "|   ^"])
    #expect(!report.message(for: finding).contains("|"))
    // Without a line where it waits, that where it took what it holds.
    finding.participants[0].frames = Samples.worker
    #expect(quotes().map { $0.drop { $0 == " " } } == ["40 | ledger.lock()", "|   ^"])
    finding.participants[0].submitted = [Samples.transfer]
    #expect(quotes().map { $0.drop { $0 == " " } } == ["40 | ledger.lock()", "|   ^"])
    finding.participants[0].holds = []
    #expect(
      quotes().map { $0.drop { $0 == " " } } == ["41 | for a in b { ledger.lock() }", "|   ^"])
  }

  @Test func theCommandIsTheLastLine() {
    var report = Samples.report
    report.run.jitter = .heavy
    report.run.seed = Seed(rawValue: 42)
    func last(_ context: ReportContext) -> Substring? {
      TextReport(context).text(for: report).split(separator: "\n").last
    }
    #expect(last(ReportContext(command: "a\nb")) == #"To repeat: a\u{A}b"#)
    let options = #"To repeat: THREADMILL_OPTIONS="jitter=heavy seed=42""#
    #expect(last(ReportContext()) == options[...])
    report.findings = []
    #expect(last(ReportContext(command: "a")) == options[...])
  }
}
