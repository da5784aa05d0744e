import Foundation
import Testing
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

/// `THREADMILL_GOLDEN=write` writes the golden texts anew, and fails so that nobody takes it for a
/// test.
@Suite struct GoldenTests {
  @Test(arguments: Finding.Kind.allCases)
  func everyKindHasItsText(kind: Finding.Kind) throws {
    let finding = Samples.finding(kind)
    let report = TextReport(folder: Samples.folder)
    let texts = [report.text(for: finding), report.message(for: finding) + "\n"]
    try Self.compare(
      texts.joined(separator: "--- as the message of a test ---\n"), with: kind.rawValue)
  }

  @Test(arguments: [true, false]) func aTriedCycleHasItsText(reached: Bool) throws {
    try Self.compare(
      TextReport(folder: Samples.folder).text(for: Samples.tried(reached: reached)),
      with: reached ? "confirmed" : "notConfirmed")
  }

  @Test func aReportHasItsText() throws {
    try Self.compare(TextReport().text(for: Samples.report), with: "report")
  }

  /// Every format has its text, as every reader sees it; a page is for browsers, which test it.
  @Test(arguments: ReportFormat.allCases.filter { $0 != .html }) func aReportHasItsForm(
    format: ReportFormat
  ) throws {
    var report = Samples.report
    report.run.jitter = .heavy
    report.run.seed = Seed(rawValue: 42)
    let bytes = format.bytes(of: report, Samples.context)
    try Self.compare(String(decoding: bytes, as: UTF8.self), with: "as-\(format.rawValue)")
  }

  static func compare(_ text: String, with name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["THREADMILL_GOLDEN"] == "write" {
      try Data(text.utf8).write(to: file)
      Issue.record("wrote \(file.lastPathComponent); read the difference, then test without this")
      return
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let isSame = text.utf8.elementsEqual(golden.utf8)  // `==` takes unlike bytes for one character
    #expect(isSame, "\(name):\n\(text)")
  }
}

@Suite struct TextReportTests {
  private let report = TextReport(folder: Samples.folder)

  @Test func theMessageIsOneParagraphThatStartsWithTheTitle() {
    for kind in Finding.Kind.allCases {
      let message = report.message(for: Samples.finding(kind))
      let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first.map(String.init) == Samples.finding(kind).title)
      #expect(!lines.contains(""))
    }
  }

  @Test func everyKindHasItsOwnRepairInOneSentence() {
    let repairs = Finding.Kind.allCases.map(\.repair)
    #expect(Set(repairs).count == Finding.Kind.allCases.count)
    #expect(repairs.allSatisfy { $0.hasSuffix(".") && $0.count { $0 == "." } == 1 })
  }

  @Test(arguments: [
    ("/home/me/bank", "Sources/A.swift:3"), ("/home/me/bank//", "Sources/A.swift:3"),
    ("/", "home/me/bank/Sources/A.swift:3"), ("/home/me/ban", "/home/me/bank/Sources/A.swift:3"),
    ("/home/me/bank/Sources/A.swift", "/home/me/bank/Sources/A.swift:3"),
    (nil, "/home/me/bank/Sources/A.swift:3"),
  ])
  func pathsAreRelativeToTheFolder(folder: String?, place: String) {
    var finding = Samples.finding(.crash)
    finding.participants[0].frames = [Samples.user("f()", "Sources/A.swift", 3)]
    let lines = TextReport(folder: folder).text(for: finding).split(separator: "\n")
    #expect(lines.contains { $0 == "    is at  \(place)  f()" })
  }

  @Test func systemFramesAreFoldedWithEachImageOnce() {
    var finding = Samples.finding(.crash)
    let bare = Frame(address: 1, isSystem: true)
    finding.participants[0].frames = [Samples.libraryLock, bare, Samples.test, bare, Samples.audit]
    finding.participants[0].frames += Samples.worker
    let places = report.text(for: finding).split(separator: "\n").filter { $0.contains("…") }
    #expect(
      places.map { $0.drop { $0 != "…" } } == [
        "… 2 frames in libFoundation.so", "… 1 frame",
        "… 3 frames in libdispatch.so, libc.so.6",
      ])
  }

  /// Whatever a name contains, it neither makes a line nor reaches the terminal.
  @Test func namesCannotBreakLines() {
    let hostile = "a\nb\u{1B}[31m\u{202E}"
    let plain = Samples.finding(.lockOrderCycle)
    var finding = plain
    finding.title += hostile
    finding.tests[0] += hostile
    finding.objects[1].label = hostile
    finding.participants[0].threadName = hostile
    finding.participants[1].role += hostile
    finding.participants[0].frames[1].function = hostile
    finding.participants[0].frames[1].file = hostile
    finding.participants[0].frames[0].image = hostile
    for text in [report.text(for: finding), report.message(for: finding)] {
      #expect(!text.unicodeScalars.contains("\u{1B}"))
      #expect(!text.unicodeScalars.contains("\u{202E}"))
      #expect(text.contains(#"a\u{A}b\u{1B}[31m\u{202E}"#))
    }
    let lines = report.text(for: finding).split(separator: "\n").count
    #expect(lines == report.text(for: plain).split(separator: "\n").count)
  }

  @Test(
    arguments: [
      ([], "Threadmill: no findings"),
      ([(.error, .observed)], "Threadmill: 1 finding (1 error)"),
      (
        [(.error, .observed), (.warning, .potential), (.error, .confirmed)],
        "Threadmill: 3 findings (2 errors, 1 warning)"
      ),
      ([(.error, .filtered)], "Threadmill: no findings; 1 candidate ruled out"),
      (
        [(.note, .observed), (.error, .filtered), (.error, .filtered)],
        "Threadmill: 1 finding (1 note); 2 candidates ruled out"
      ),
    ] as [([(Finding.Severity, Finding.Status)], String)])
  func theSummaryCounts(findings: [(Finding.Severity, Finding.Status)], summary: String) {
    let findings = findings.map { severity, status in
      Finding(kind: .hang, status: status, severity: severity, title: "t")
    }
    let report = Report(findings: findings, run: .init(id: "r"))
    #expect(TextReport.summary(of: report) == summary)
  }
}
