import Foundation
import Synchronization
import Testing
import ThreadmillChildren
import ThreadmillModel

@testable import ThreadmillCommand

/// What test processes write down about their tests.
@Suite struct TestResultsTests {
  /// As Swift Testing 6.3 writes it, shortened.
  private static let stream = #"""
    {"kind":"test","payload":{"id":"M.S","kind":"suite","name":"S"},"version":0}
    {"kind":"test","payload":{"id":"M.S\/a()\/S.swift:4:4","kind":"function","name":"a()"},"version":0}
    {"kind":"test","payload":{"id":"M.S\/b()\/S.swift:8:4","kind":"function","name":"b()"},"version":0}
    {"kind":"test","payload":{"id":"M.S\/c()\/S.swift:9:4","kind":"function","name":"c()"},"version":0}
    {"kind":"test","payload":{"id":"M.S\/d()\/S.swift:9:9","kind":"function","name":"d()"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":1.0,"since1970":0},"kind":"testStarted","messages":[],"testID":"M.S"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":1.0,"since1970":0},"kind":"testStarted","messages":[],"testID":"M.S\/a()\/S.swift:4:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":1.5,"since1970":0},"kind":"issueRecorded","issue":{"isKnown":false,"sourceLocation":{"_filePath":"\/w\/S.swift","line":5,"column":1,"fileID":"M\/S.swift"}},"messages":[{"symbol":"fail","text":"Expectation failed: x == 1"},{"symbol":"details","text":"x is 2"}],"testID":"M.S\/a()\/S.swift:4:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":1.5,"since1970":0},"kind":"issueRecorded","issue":{"isKnown":true},"messages":[{"symbol":"passWithKnownIssue","text":"known"}],"testID":"M.S\/a()\/S.swift:4:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":1.5,"since1970":0},"kind":"issueRecorded","issue":{"isKnown":false},"messages":[{"symbol":"fail","text":"Issue recorded"},{"symbol":"details","text":"Deadlock"}],"testID":"M.S\/a()\/S.swift:4:4"},"version":0}
    no record
    {"kind":"event","payload":{"instant":{"absolute":1.75,"since1970":0},"kind":"testEnded","messages":[{"symbol":"fail","text":"failed"}],"testID":"M.S\/a()\/S.swift:4:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":2.0,"since1970":0},"kind":"testStarted","messages":[],"testID":"M.S\/b()\/S.swift:8:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":2.25,"since1970":0},"kind":"testEnded","messages":[{"symbol":"pass","text":"passed"}],"testID":"M.S\/b()\/S.swift:8:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":2.25,"since1970":0},"kind":"testSkipped","messages":[],"testID":"M.S\/c()\/S.swift:9:4"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":3.0,"since1970":0},"kind":"testStarted","messages":[],"testID":"M.S\/d()\/S.swift:9:9"},"version":0}
    {"kind":"event","payload":{"instant":{"absolute":4.0,"since1970":0},"kind":"testEnded","messages":[{"symbol":"fail","text":"failed"}],"testID":"M.S"},"version":0}
    """#

  @Test func theStreamOfEventsHasTheResultsOfTests() {
    let results = TestEvents(Self.stream).results
    #expect(results.keys.sorted() == ["M.S/a()", "M.S/b()", "M.S/c()"])
    #expect(
      results["M.S/a()"]
        == TestResult(
          "M.S/a()", .failed, milliseconds: 750,
          issues: [
            .init("Deadlock"),
            .init("Expectation failed: x == 1\nx is 2", file: "/w/S.swift", line: 5),
          ]))
    #expect(results["M.S/b()"] == TestResult("M.S/b()", .passed, milliseconds: 250))
    #expect(results["M.S/c()"] == TestResult("M.S/c()", .skipped))
  }

  @Test func theJournalHasTheResultsOfXCTest() {
    let journal = TestJournal(
      "+M.C/testA\tC.testA\n!M.C/testA\t7\t/w/C.swift\tnot\\nequal\n-M.C/testA\n"
        + "=M.C/testA\tfailed\t12\n+M.C/testB\tC.testB\n-M.C/testB\n=M.C/testB\tskipped\t0\n"
        + "+M.C/testD\tC.testD\n!M.C/testD\t\t\tlost\n")
    #expect(
      journal.results == [
        "M.C/testA": TestResult(
          "M.C/testA", title: "C.testA", .failed, milliseconds: 12,
          issues: [.init("not\nequal", file: "/w/C.swift", line: 7)]),
        "M.C/testB": TestResult("M.C/testB", title: "C.testB", .skipped),
      ])
    #expect(journal.running == ["M.C/testD"])
  }

  /// Runs a shell's script with these lines in its journal; it is late as soon as it stands still.
  private static func late(
    _ script: String, journal lines: String = "+M.waits\tM.waits\n"
  ) async throws -> (Set<String>?, ChildProcess.Outcome) {
    let scratch = try TemporaryDirectory()
    defer { scratch.remove() }
    let journal = scratch.file("journal")
    try Data(lines.utf8).write(to: journal)
    let clock = TestClock(file: journal, limit: .standstill(1))
    let result = try await ChildProcess(
      executable: "/bin/sh", arguments: ["-c", script, journal.path], limit: 60
    ).run(stop: .asked(by: SIGTERM, when: clock.isLate))
    return (clock.late, result.outcome)
  }

  @Test func whatStandsStillIsLate() async throws {
    let (late, outcome) = try await Self.late("exec sleep 50")
    #expect(late == ["M.waits"])
    #expect(outcome == .signalled(SIGTERM))
  }

  /// A set-up or tear-down of all tests can hang as well.
  @Test func whatStandsStillBetweenTestsIsLate() async throws {
    let (late, outcome) = try await Self.late("exec sleep 50", journal: "+M.a\tM.a\n-M.a\n")
    #expect(late == [])
    #expect(outcome == .signalled(SIGTERM))
  }

  /// On a terminal, one line says how far the tests have come and which one runs; of several
  /// processes, the ended tests add up. Elsewhere a single run says nothing before its result.
  @Test(arguments: [true, false]) func whoWaitsSeesWhichTestRuns(isLive: Bool) {
    let said = Mutex<[String]>([])
    let console = Console(
      isColoured: false, isLive: isLive, say: { _ in },
      complain: { text in said.withLock { $0.append(text) } })
    let file = URL(filePath: "/dev/null")
    let (first, second) = (
      TestClock(file: file, limit: .usual), TestClock(file: file, limit: .usual)
    )
    let progress = Progress("test", total: 1, console: console)
    let tests = TestProgress(progress, total: 3)
    tests.show(TestJournal("+M.a\tM.a\n-M.a\n+M.b\tM.b\n"), of: first)
    tests.show(TestJournal("+M.c\tM.c\n-M.c\n"), of: second)
    progress.advance(past: "off")
    progress.end()
    let erase = "\r\u{1B}[K"
    let lines = ["1 of 3 tests  M.b", "2 of 3 tests", "1 of 1  off", ""].map { erase + $0 }
    #expect(said.withLock { $0 } == (isLive ? lines : []))
  }

  /// It has a child that works, and later writes a line once in a while; both is progress.
  @Test func whatGoesOnIsNotLate() async throws {
    let (late, outcome) = try await Self.late(
      "timeout 3 sh -c 'while :; do :; done'; for i in 1 2 3 4 5 6; do sleep 0.5;"
        + " echo \"+t$i\tt$i\" >> \"$0\"; done; exit 7")
    #expect(late == nil)
    #expect(outcome == .exited(7))
  }
}
