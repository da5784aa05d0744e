import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// Tests that are explored: by a trait, by a helper, from the command line.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct ExploredTestsTests {
  private static let asked = ["TOOL_SHED_EXPLORES": "1"]

  /// Of what went wrong: the kind, and how what is said of it ends.
  private func endings(_ report: ReportFile, _ test: String) -> [String] {
    report.accusations.filter { $0.tests.contains { $0.hasSuffix(test) } && $0.schedule != nil }
      .map { finding in
        let cause = finding.title.split(separator: "the body fails: ").last.map(String.init)
        return "\(finding.kind): \(cause ?? finding.title)"
      }
  }

  @Test func theTraitFailsATestOnceWithItsSchedule() async throws {
    let run = try await Fixture.swiftTesting.test(
      ["--filter", "SwiftTestingUserTests.Explored"], environment: Self.asked)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let failing: Set = [
      "expectsASawForEach", "expectsInABlock", "throwsWithTooFew", "requiresASawForEach",
      "locksInOppositeOrders", "waitsForNobody",
    ]
    #expect(Set(run.failures.keys).subtracting(["unknown"]) == failing)
    let report = try #require(run.report)
    #expect(
      endings(report, "expectsASawForEach()") == [
        "assertionFailure: Explored.swift:32: Expectation failed: (saws.count → -1) == 0 (error)"
      ])
    #expect(
      endings(report, "expectsInABlock()") == [
        "assertionFailure: Explored.swift:41: Expectation failed: (saws.count → -1) >= 0 (error)"
      ])
    // Only what was required is said, not that it was thrown as well.
    #expect(
      endings(report, "requiresASawForEach()") == [
        "assertionFailure: Explored.swift:58: Expectation failed: (saws.count → -1) == 0 (error)"
      ])
    #expect(endings(report, "throwsWithTooFew(saws:)") == ["assertionFailure: threw NoSaw()"])
    #expect(endings(report, "waitsForNobody()") == ["hang: nothing can go on, and 1 wait"])
    #expect(
      endings(report, "locksInOppositeOrders()").map { $0.hasPrefix("deadlock: Deadlock: ") }
        == [true])
    for test in failing {
      let count = run.failures[test]?.matches(of: #/schedule  tm1:/#).count
      #expect(count == 1, "\(test): \(run.failures[test] ?? "")")
    }
    // What is no failure is said once, however many schedules it took.
    #expect(run.child.standardOutput.matches(of: #/the saw is dull/#).count == 1)
  }

  /// What a test asks for comes before what its suite does, also where all tests are explored, of
  /// which each case is explored once.
  @Test(arguments: [
    ("", "staysSilent", 1, 50), ("schedules=3", "needsNoParentheses", 1, 3),
    ("mode=explore", "staysSilent", 1, 50),
    ("mode=explore schedules=7", "mustStaySilentAsNeighbour", 8, 56),
  ])
  func eachCaseIsExploredOnce(
    options: String, test: String, cases: Int, schedules: Int
  ) async throws {
    let run = try await Fixture.swiftTesting.test(
      ["--filter", test], options: options, environment: Self.asked)
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(run.report?.accounting["exploredTests"] == cases)
    #expect(run.report?.accounting["exploredSchedules"] == schedules)
  }

  /// It does not run as usual after that, where it would stand still once more.
  @Test func aTestThatStoodStillIsToldOnce() async throws {
    let run = try await Fixture.swiftTesting.test(
      ["--filter", "mustHangOn(AStream|ATask)"], options: "mode=explore schedules=20 hang=2",
      environment: ["TOOL_SHED_IS_PATIENT": "1"])
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let accusations = try #require(run.report).accusations
    #expect(
      Set(accusations.map(\.tests)) == [
        ["SwiftTestingUserTests.mustHangOnAStream()"], ["SwiftTestingUserTests.mustHangOnATask()"],
      ])
    #expect(accusations.count == 2)
    #expect(accusations.allSatisfy { $0.kind == "hang" && $0.schedule != nil })
    #expect(Set(accusations.map(\.fingerprint)).count == 2)
    #expect(!run.child.standardError.contains("nothing moved"))
  }

  @Test func theHelperFailsATestOnceWithItsSchedule() async throws {
    let run = try await Fixture.xctest.test(
      ["--filter", "ExploredTests"], environment: Self.asked)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let failing: Set = ["testExpectsASawForEach", "testThrowsInATask", "testFailsAfterwardsAsEver"]
    #expect(Set(run.failures.keys) == failing)
    let report = try #require(run.report)
    #expect(
      endings(report, "testExpectsASawForEach").map { $0.contains("ExploredTests.swift:31: XCT") }
        == [true])
    #expect(endings(report, "testThrowsInATask") == ["assertionFailure: threw NoSaw()"])
    #expect(run.failures["testExpectsASawForEach"]?.matches(of: #/: error: /#).count == 1)
    #expect(run.failures["testFailsAfterwardsAsEver"]?.contains("(\"1\") is not equal to") == true)
  }

  /// The time limits of 1,000 s pass in virtual time, in each schedule.
  @Test func anExploredBodyWaitsForExpectations() async throws {
    let run = try await Fixture.xctest.test(
      ["--filter", "ExploredTests/testWaitsInVirtualTime"], environment: Self.asked)
    #expect(run.child.outcome == .exited(0), "\(run.child.standardOutput)")
    #expect(run.report?.accounting["exploredTests"] == 2)
    #expect(run.report?.accounting["exploredSchedules"] ?? 0 >= 10)
  }

  /// A package that knows nothing of Threadmill: every test is explored, the one that dies as well,
  /// and the last line runs its schedule again.
  @Test func everyTestIsExploredAndACrashKeepsItsSchedule() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let environment = ["ACCIDENT": "trap"]
    let result = try await Fixture.stranger.threadmillTest(
      [
        "--explore", "--schedules", "20", "--filter", "AccidentTests/(trap|leave)|startsEmpty",
        "--json", file.path, "--pool", "2",
      ], environment: environment)
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    let report = try #require(try ReportFile(at: file), "\(result.standardError)")
    #expect(report.accusations.map(\.kind) == ["crash"])
    #expect(report.accusations.map(\.tests) == [["AccidentTests.AccidentTests/trap()"]])
    let schedule = try Schedule(parsing: try #require(report.accusations.first?.schedule))
    #expect(schedule.steps > 0)
    #expect(result.standardOutput.contains("Threadmill: 3 tests explored under "))
    let last = try #require(result.standardOutput.split(separator: "\n").last)
    #expect(last.hasSuffix(" --pool 2 'AccidentTests.AccidentTests/trap()' \(schedule)"))
    #expect(last.hasPrefix("To repeat: threadmill replay --package-path "))

    let again = try await shell(String(last.dropFirst("To repeat: ".count)), environment)
    #expect(again.outcome == .exited(1), "\(again.standardOutput)\(again.standardError)")
    #expect(again.standardOutput.hasSuffix("the test failed under this schedule again\n"))
    // Where nothing traps the program goes on, which the schedule has nothing against.
    let other = try await shell(String(last.dropFirst("To repeat: ".count)), [:])
    #expect(other.outcome == .exited(0), "\(other.standardOutput)\(other.standardError)")
  }

  /// Of XCTest's, each test is explored with its set-up and tear-down, also one that waits in a
  /// run loop; what cannot be explored is named. Two fail whenever they run again, because of what
  /// the process keeps: their schedules have processes of their own.
  @Test(arguments: [false, true])
  func testsOfXCTestAreExploredAsTheyAre(isCareless: Bool) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let environment = isCareless ? ["DOOR_IS_CARELESS": "1"] : [:]
    let result = try await Fixture.stranger.threadmillTest(
      ["--explore", "--schedules", "200", "--filter", "OrderTests", "--json", file.path],
      environment: environment)
    #expect(result.outcome == .exited(isCareless ? 1 : 0), "\(result.standardError)")
    let report = try #require(try ReportFile(at: file), "\(result.standardError)")
    let lost = "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")"
    let failures = [
      "testBlocks": "OrderTests.swift:42: \(lost)", "testTasks": "OrderTests.swift:58: \(lost)",
      "testThrows": "threw error \"TooFew()\"",
      "testWaitsForExpectations": "OrderTests.swift:71: \(lost)",
    ]
    let accused = Set(report.accusations.flatMap(\.tests))
    #expect(accused == Set(isCareless ? failures.keys.map { "OrderTests.\($0)" } : []))
    #expect(report.accusations.count == accused.count)
    for (test, cause) in failures where isCareless {
      #expect(endings(report, test) == ["assertionFailure: \(cause)"])
    }
    #expect(report.accounting["exploredTests"] == 9)
    #expect(
      result.standardOutput.contains(
        """
        , 0 operations not under control
          not explored: OrderTests.OrderTests/testIsLong: it takes more than 100000 steps in its \
        first schedule
          not explored: OrderTests.OrderTests/testMeasures: it measures its speed
          not explored: OrderTests.OrderTests/testSkips: it is skipped

        """), "\(result.standardOutput)")
  }

  /// XCTest looks for thirty days whether an asynchronous test has ended. If nobody ever resumes
  /// what the test awaits, that is a standstill, and no test without end.
  @Test func anAsynchronousTestOfXCTestStandsStill() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.stranger.threadmillTest(
      ["--explore", "--schedules", "200", "--filter", "LostTests", "--json", file.path])
    #expect(result.outcome == .exited(1), "\(result.standardOutput)\(result.standardError)")
    let report = try #require(try ReportFile(at: file), "\(result.standardError)")
    #expect(report.accusations.map(\.tests) == [["LostTests.testListens"]])
    #expect(endings(report, "testListens") == ["hang: nothing can go on, and 1 wait"])
    #expect(result.standardOutput.contains("Bell.listen(carelessly:)"), "\(result.standardOutput)")
    #expect(report.accounting["exploredTests"] == 2)
  }

  /// The table of a test that waits for expectations has the columns of the test alone, and no row
  /// of the queues of XCTest's waiter.
  @Test func whatXCTestDoesIsFolded() async throws {
    let result = try await Fixture.stranger.threadmillTest(
      ["--explore", "--schedules", "200", "--filter", "OrderTests/testWaits"],
      environment: ["DOOR_IS_CARELESS": "1"])
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    let lines = result.standardOutput.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains("step body block 1 block 2"), "\(result.standardOutput)")
    #expect(lines.count { $0.contains("lock.withLock { guests = seen + 1 }") } == 4)
    #expect(!result.standardOutput.contains("XCTWaiter"))
  }

  /// A run in which nothing was explored has no result.
  @Test func toExploreNothingIsNoSuccess() async throws {
    let result = try await Fixture.stranger.threadmillTest(
      ["--explore", "--schedules", "5", "--filter", "OrderTests/test(Skips|Measures)"])
    #expect(result.outcome == .exited(2), "\(result.standardOutput)")
    #expect(
      result.standardError.hasSuffix(
        "threadmill test: no test was explored, so this is no result; without --explore, the tests"
          + " are watched as they run\n"), "\(result.standardError)")
  }

  private func shell(
    _ command: String, _ own: [String: String]
  ) async throws -> ChildProcess.Result {
    var environment = Program.environment(options: nil).merging(own) { $1 }
    environment["PATH"] = "\(try Program.folder.path):\(environment["PATH", default: ""])"
    let child = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", command], environment: environment, limit: 600)
    return try await Fixture.stranger.occupy { try await child.run() }
  }

  @Test(arguments: [
    ("tm1:BAA!iKPIIMkH", "character 8 of the schedule, '!', cannot be part of one"),
    ("tm1:BAARiKPIIMkG", "the schedule is damaged"), ("seven", "'seven' is no schedule"),
  ])
  func aBrokenScheduleIsNamed(_ schedule: String, _ complaint: String) async throws {
    let result = try await shell("threadmill replay 'M.one()' '\(schedule)'", [:])
    #expect(result.outcome == .exited(2))
    #expect(result.standardError.contains(complaint), "\(result.standardError)")
    #expect(!result.standardError.contains("building"))
  }
}
