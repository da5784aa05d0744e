import ThreadmillModel
import ThreadmillReporting

/// What the formats are tried with.
extension Samples {
  /// A folder with sources, and a command.
  static let context = ReportContext(
    folder: folder, command: "threadmill test --jitter heavy --seed 42"
  ) { path in
    path.hasSuffix("/Bank.swift")
      ? Array(repeating: "", count: 39) + ["  ledger.lock()", "  for a in b { ledger.lock() }  "]
      : nil
  }

  /// One finding of each kind, and what only a run can say.
  static var everyKind: Report {
    Report(
      findings: Finding.Kind.allCases.map(finding) + [true, false].map(tried),
      run: .init(
        id: "1-2", processes: 3, sanitizer: "thread", jitter: .nearMiss, seed: Seed(rawValue: .max),
        coverage: JitterCoverage(lockPairs: 1, threadPairs: 2)),
      accounting: ["unsymbolicatedFrames": 12, "droppedEvents": 1, "cutStacks": 0],
      profile: profile)
  }

  /// Whatever members of a report there are besides.
  static var everyMember: Report {
    var finding = finding(.dataRace)
    finding.reason = "nobody asked"
    finding.story = awaitingStory
    finding.story?.steps[0].note = "reads 0, although 1 was stored at step 1"
    finding.participants[0].runs = Execution(
      queues: [.init(id: LockID(7), kind: .serialQueue)], root: .userInitiated, isPooled: true,
      group: LockID(3), job: .init(task: 7, priority: .standard), actor: LockID(9))
    var (known, suppressed) = (self.finding(.hang), self.finding(.crash))
    finding.judgement = .new
    known.judgement = .known
    suppressed.judgement = .suppressed(reason: "theirs", by: "quiet.txt:3")
    var report = Report(
      findings: [finding, known, suppressed], classCandidates: [self.finding(.lockOrderCycle)],
      run: .init(id: "", shard: .init(index: 2, total: 3, campaign: "1207")),
      tests: tests, explorations: explorations, profile: profile, lockGraph: lockGraph,
      trace: trace)
    report.sources = StoredReport(report).sources
    return report
  }

  private static var tests: [TestResult] {
    [
      TestResult(
        "Bank.Tests/testPay", title: "Tests.testPay", .failed, milliseconds: 12,
        issues: [
          .init("not equal", file: "\(folder)/Tests/Bank.swift", line: 7)
        ], isSensitive: true),
      TestResult("Bank.Suite/pays()", .passed, milliseconds: 3),
      TestResult("Bank.Suite/waits()", .skipped, unexplored: "it is skipped"),
    ]
  }

  static var explorations: [ExploredTest] {
    let coverage = ExplorationCoverage(
      schedules: 400, readsFromPairs: 12, handOvers: 5, seenOnce: 4, seenTwice: 1, lastNew: 33,
      isCut: true, lines: [.init(place: "Bank.swift:7", schedules: 380)], met: 12)
    return [
      ExploredTest("Bank.Suite/pays()", coverage, isComplete: false, uncontrolled: 2),
      ExploredTest(
        "Bank.Suite/waits()", ExplorationCoverage(schedules: 7, handOvers: 1), isComplete: true,
        classes: 6),
    ]
  }

  private static var lockGraph: LockGraph {
    let classes = [true, false].map { isFirstUse in
      LockGraph.LockClass(
        kind: .mutex, label: "ledger", place: [transfer], isFirstUse: isFirstUse)
    }
    return LockGraph(classes: classes, edges: [.init(from: 0, to: 1, count: 2, place: [audit])])
  }

  private static var trace: Trace {
    let kinds = Trace.Event.What.allCases.enumerated()
    let events = kinds.map { number, what in
      Trace.Event(
        what, ThreadID(1), at: UInt64(number), lasted: 3, isOpen: true, lock: 0, label: "ledger",
        flow: 7, place: 0)
    }
    return Trace([
      .init(
        process: 5, threads: [.init(ThreadID(1), name: "worker")], locks: lockGraph.classes,
        places: [[audit]], events: events)
    ])
  }

  private static var profile: ContentionProfile {
    var durations = DurationHistogram()
    for sample in [3, 1_250_000] { durations.add(sample) }
    return ContentionProfile(
      classes: [true, false].map { isFirstUse in
        .init(
          kind: .mutex, label: "ledger", place: [libraryLock, transfer], isFirstUse: isFirstUse,
          acquisitions: 2, contended: 1, wait: durations, hold: durations, longestHolder: [audit])
      })
  }

  /// A finding whose every name is this text.
  static func hostile(_ text: String, line: Int) -> Finding {
    Finding(
      kind: .dataRace, status: .observed, title: text,
      participants: [
        .init(
          thread: ThreadID(1), threadName: text, role: text,
          frames: [
            Frame(
              address: 0, function: text, file: "Sources/\(text)", line: line, column: 3,
              image: text)
          ])
      ], objects: [.init(id: LockID(1), kind: .serialQueue, label: text)],
      facts: [.init(text)], tests: [text], schedule: text)
  }
}
