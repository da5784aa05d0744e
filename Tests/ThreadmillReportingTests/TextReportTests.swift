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

  /// As in the run that writes the baseline: the test has failed for the finding.
  @Test func aFailedTestWithAKnownFindingIsSaid() {
    var finding = Samples.finding(.lockOrderCycle)
    finding.tests = ["M.S/pays()"]
    finding.judgement = .known
    let tests = [TestResult("M.S/pays()", .failed), TestResult("M.S/dies()", .failed)]
    let report = Report(findings: [finding], run: .init(id: ""), tests: tests)
    #expect(
      report.unexplained.map { $0.issues.map(\.message) } == [
        ["failed without a message; it has a known finding"], [],
      ])
  }

  /// One thread ran both, and two may run them the next time.
  @Test func theOtherWorkOfAThreadIsToldApart() {
    var finding = Samples.finding(.lockOrderCycle)
    finding.participants = [finding.participants[1], finding.participants[1]]
    let parts = TextReport().text(for: finding).split(separator: "\n").filter {
      $0.hasPrefix("  T14")
    }
    #expect(parts.count == 2)
    #expect(parts.last?.hasPrefix("  T14, in other work that may run on another thread, ") == true)
  }

  @Test func explorationsHaveLines() {
    let skipped = TestResult("Bank.Suite/waits()", .skipped, unexplored: "it is skipped")
    var report = Report(
      findings: [], run: .init(id: ""), tests: [skipped], explorations: Samples.explorations,
      accounting: [
        "exploredTests": 2, "exploredSchedules": 407, "uncontrolledOperations": 2,
        "stacksTruncated": 1,
      ])
    #expect(
      TextReport().text(for: report) == """
        Tests: 1 skipped
        Explored Bank.Suite/pays(): at least 12 reads-from pairs and 5 hand-overs seen in 400 \
        schedules, the last new one in schedule 33; about one of 100 further schedules shows a new \
        one, and 3 or more are left; two threads were at Bank.swift:7 at the same time in 12 \
        schedules; 2 operations not under control
        Explored Bank.Suite/waits(): every order was tried, in 7 schedules of 6 classes: 0 \
        reads-from pairs and 1 hand-over
        Threadmill: 2 tests explored under 407 schedules, 2 operations not under control
          not explored: Bank.Suite/waits(): it is skipped
        Threadmill: no findings
          call stacks cut off, because they are too deep: 1

        """)
    // The report says also that everything was under control.
    report = Report(
      findings: [], run: .init(id: ""), accounting: ["exploredPrograms": 1, "exploredSchedules": 9])
    #expect(
      TextReport().text(for: report) == """
        Threadmill: 1 program explored under 9 schedules, 0 operations not under control
        Threadmill: no findings

        """)
    // An exploration that failed is over.
    report.explorations = Samples.explorations
    report.findings = [Samples.finding(.deadlock)]
    report.findings[0].tests = ["Bank.Suite/pays()"]
    report.findings[0].schedule = "tm1:…"
    let told = TextReport().text(for: report).split(separator: "\n").filter {
      $0.hasPrefix("Explored ")
    }
    #expect(told.map { $0.hasPrefix("Explored Bank.Suite/waits(): every order") } == [true])
    // Of many, those that may show more: the last twenty.
    report.findings = []
    report.explorations = (10..<35).map { number in
      ExploredTest(
        "test\(number)", ExplorationCoverage(schedules: 9, seenOnce: number), isComplete: false)
    }
    let lines = TextReport().text(for: report).split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines[0].hasPrefix("Explored test15: "))
    #expect(lines[20] == "Explored 5 other tests, less likely to show more")
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

  /// The first row is the user's own; library frames between two of the user's are one row, and
  /// those that the compiler has put between two frames of one image are none.
  @Test func libraryFramesStandBetweenTheUsersOnly() {
    var finding = Samples.finding(.crash)
    let bare = Frame(address: 1, isSystem: true)
    let thunk = Frame(address: 1, function: "thunk", image: "BankTests", isSystem: true)
    finding.participants[0].frames = [
      Samples.libraryLock, thunk, Samples.test, Samples.libraryLock,
    ]
    finding.participants[0].frames += [bare, Samples.libraryLock, Samples.audit, thunk]
    finding.participants[0].frames += [Samples.transfer] + Samples.worker
    let lines = report.text(for: finding).split(separator: "\n")
    let first = lines.firstIndex { $0.contains("is at") } ?? 0
    let rows = lines[first...].prefix { !$0.contains("repair") && !$0.isEmpty }
    #expect(rows.first?.hasPrefix("    is at  Tests/BankTests.swift:9 ") == true)
    #expect(
      rows.map { $0.split(separator: " ").last.map(String.init) ?? "" }.dropFirst() == [
        "libFoundation.so", "Bank.audit(_:)", "Bank.transfer(from:to:)",
      ])
  }

  /// A queue that a thread merely runs on is no part of the finding; one that somebody waits for
  /// is.
  @Test func aQueueBesidesIsLeftOut() {
    let main = SharedObject(id: LockID(11), kind: .serialQueue, label: "main")
    var finding = Samples.finding(.lockOrderCycle)
    finding.objects.append(main)
    finding.participants[0].holds.insert(.init(object: main.id), at: 0)
    #expect(!report.text(for: finding).contains("L11"))
    finding.participants[1].wants = main.id
    #expect(report.text(for: finding).contains("\n  L11  serial queue \"main\""))
    #expect(report.text(for: finding).contains("took L11"))
  }

  /// An await lies between the check and the act; no lock would help.
  @Test func theRepairOfAnActorIsToCheckAgain() {
    var finding = Samples.finding(.assertionFailure)
    #expect(finding.repair == Finding.Kind.assertionFailure.repair)
    let hops = [0, 1].map {
      ScheduleStory.Step(number: $0 + 1, column: $0, .hop, object: "actor #5")
    }
    finding.story?.steps = hops
    #expect(finding.repair.hasPrefix("An actor's state may change during each await"))
    // No other task enters the actor.
    finding.story?.steps = [hops[0], hops[0]]
    #expect(finding.repair == Finding.Kind.assertionFailure.repair)
    finding.story?.steps = hops + [.init(number: 3, column: 0, .lock, object: "L1")]
    #expect(finding.repair == Finding.Kind.assertionFailure.repair)
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

  /// Candidates are lines at the end, and no findings.
  @Test func candidatesAreLines() {
    var tried = Samples.finding(.lockOrderCycle)
    tried.confirmation = .init(tries: 9)
    tried.facts.append(.init("9 schedules of a did not reach this deadlock"))
    var untried = Samples.finding(.lockOrderCycle)
    untried.tests = ["a"]
    var testless = untried
    testless.tests = []
    let report = Report(
      findings: [], classCandidates: [tried, untried, testless], run: .init(id: "r"))
    let lines = TextReport().text(for: report).split(separator: "\n").map(String.init)
    #expect(lines.first == "Threadmill: no findings")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("  not confirmed: \(tried.title) ("))
    #expect(lines[1].hasSuffix("): 9 schedules of a did not reach this deadlock"))
    let orders = "  1 order of locks taken both ways round by different objects"
    #expect(
      Array(lines[2...]) == [
        "\(orders); threadmill test --confirm tries that out",
        "\(orders); the JSON report has the places",
      ])
  }
}
