import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill test` in a package that has never heard of Threadmill.
@Suite(
  .serialized, .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
struct StrangerTests {
  /// What one call said and reported.
  private struct Run {
    var result: ChildProcess.Result
    var report: ReportFile

    /// The lines in which the test libraries say that a test has passed.
    func hasPassed(_ test: String) -> Bool {
      result.standardOutput.contains("Test \(test) passed")
        || result.standardOutput.contains("Test Case '\(test)' passed")
    }
  }

  private func run(_ words: String..., accident: String? = nil) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.stranger.threadmillTest(
      ["--verbose", "--json", file.path] + words,
      environment: accident.map { ["ACCIDENT": $0] } ?? [:])
    return Run(
      result: result,
      report: try #require(try ReportFile(at: file), "\(result.standardError)"))
  }

  @Test func aTestAnswersForWhatIsFound() async throws {
    let run = try await run("--filter", "PantryTests")
    #expect(run.result.outcome == .exited(1))
    #expect(run.report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(
      run.report.accusations.map(\.tests) == [["PantryTests.PantryTests/movesBothWays()"]])
    for test in ["startsEmpty()", "movesUp()", "countsVisits()", "OldTests.testMovesDown"] {
      #expect(run.hasPassed(test))
    }
    #expect(run.result.standardOutput.contains("movesBothWays() recorded an issue at Shelf.swift"))
  }

  /// Nothing can be loaded in front of Thread Sanitizer: Threadmill is linked in.
  @Test func withThreadSanitizerRacesAreFoundAsWell() async throws {
    let scratch = Checkout.root.appending(path: ".build/fixtures/StrangerSanitized")
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let child = ChildProcess(
      executable: try Program.named("threadmill").path,
      arguments: [
        "test", "--package-path", Fixture.stranger.folder.path, "--scratch-path", scratch.path,
        "--sanitize", "thread", "--json", file.path,
        "--filter", "countsVisits",
      ], environment: Program.environment(options: nil, reportsRaces: true), limit: 1_200)
    let result = try await Fixture.stranger.occupy { try await child.run() }
    #expect(result.outcome == .exited(1), "\(result.standardOutput)")
    let report = try #require(try ReportFile(at: file), "\(result.standardError)")
    #expect(report.kinds == ["dataRace"])
    #expect(
      Set(report.accusations.flatMap(\.tests)) == ["PantryTests.PantryTests/countsVisits()"])
    #expect(report.run.sanitizer == "thread")
  }

  /// Exit tests are watched, and programs that tests start are not.
  @Test func onlyTheTestBinaryIsWatched() async throws {
    let run = try await run("--filter", "ChildTests", accident: "children")
    #expect(run.hasPassed("startsAnother()") && run.hasPassed("startsItself()"))
    #expect(run.report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(run.report.run.processes == 2)
  }

  @Test(arguments: [
    ("trap", "AccidentTests.AccidentTests/trap()", "leave()"),
    ("leave", "AccidentTests.AccidentTests/leave()", "trap()"),
    ("oldtrap", "OldAccidentTests.testTrap", "OldAccidentTests.testAfter"),
  ])
  func aTestThatEndsItsProcessIsAFinding(
    _ accident: String, _ culprit: String, _ other: String
  ) async throws {
    let run = try await run("--filter", "AccidentTests", accident: accident)
    #expect(run.result.outcome == .exited(1))
    #expect(run.report.accusations.map(\.kind) == ["crash"])
    #expect(run.report.accusations.map(\.tests) == [[culprit]])
    // What the runtime said of it is told, though the output of the tests is not.
    let words = run.report.accusations.first?.facts?.map(\.text) ?? []
    let said = words.contains { $0.hasPrefix("the program said: ") && $0.contains("jar is broken") }
    #expect(said == (accident != "leave"), "\(words)")
    // The rest still runs, in another process.
    #expect(run.hasPassed(other), "\(run.result.standardOutput)")
    #expect(run.report.run.processes >= 2)
  }

  /// A test that ends while another one exits does not crash the process: the status is as bare. If
  /// the gate's task-local values were not in pairs, 4 of 5 watched processes would crash, so that
  /// five runs would miss it with a probability of 0.0003.
  @Test func testsMayEndWhileTheProcessDoes() async throws {
    let built = try await run("--filter", "startsEmpty")
    try #require(built.hasPassed("startsEmpty()"))
    let tests = [
      try Fixture.stranger.binary.path, "--testing-library", "swift-testing", "--filter",
      "AccidentTests",
    ]
    let watch = [try Program.named("threadmill").path, "run", "--"]
    for command in [tests] + Array(repeating: watch + tests, count: 5) {
      let child = ChildProcess(
        executable: command[0], arguments: Array(command.dropFirst()),
        environment: Program.environment(options: nil).merging(["ACCIDENT": "leave"]) { $1 },
        limit: 600)
      let result = try await Fixture.stranger.occupy { try await child.run() }
      #expect(result.outcome == .exited(0), "\(command): \(result.standardError)")
      #expect(result.standardError.contains("Test leave() started"))
      #expect(!result.standardError.contains("freed pointer"), "\(command)")
    }
  }

  /// The other tests have ended, so nothing is left to wait for. The hang that ends the process is
  /// the deadlock.
  @Test func aDeadlockEndsTheRunBeforeLong() async throws {
    let run = try await run("--filter", "AccidentTests", accident: "deadlock")
    #expect(run.result.outcome == .exited(1))
    #expect(run.report.accusations.map(\.kind) == ["deadlock"])
    #expect(run.report.accusations.map(\.tests) == [["AccidentTests.AccidentTests/deadlock()"]])
    #expect(run.result.standardOutput.contains("nothing moved for 3 s"))
  }

  @Test func aTestThatTakesTooLongIsAFinding() async throws {
    let run = try await run("--filter", "AccidentTests", "--timeout", "2", accident: "busy")
    #expect(run.result.outcome == .exited(1))
    #expect(run.report.accusations.map(\.kind) == ["hang"])
    #expect(run.report.accusations.map(\.tests) == [["AccidentTests.AccidentTests/busy()"]])
    #expect(run.report.accusations.map(\.title) == ["Hang: a test ran for longer than 2 s"])
  }

  @Test func sideBySideTheSameIsFound() async throws {
    let run = try await run("--filter", "AccidentTests", "--parallel", accident: "oldtrap")
    #expect(run.report.accusations.map(\.tests) == [["OldAccidentTests.testTrap"]])
    #expect(run.hasPassed("OldAccidentTests.testAfter"))
  }

  /// Each test runs in one of the shards.
  @Test func shardsTogetherAreTheWhole() async throws {
    var findings: [String] = []
    for index in 1...2 {
      let run = try await run("--filter", "PantryTests", "--shard", "\(index)/2")
      #expect(run.report.run.shard == ReportFile.Shard(index: index, total: 2))
      findings += run.report.accusations.map(\.kind)
    }
    #expect(findings == ["lockOrderCycle"])
  }
}
