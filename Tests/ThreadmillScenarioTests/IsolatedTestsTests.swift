import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// Tests that can run only once in a process: each schedule of them gets a process of its own.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct IsolatedTestsTests {
  /// A test, and what is told of it.
  struct Case: Sendable {
    /// As it is called on command lines.
    var test: String
    /// As findings name it.
    var name: String
    var kind: String
    /// The end of the title.
    var title: String
    /// The end of the program's own words about the error.
    var words: String?
    var isReplayed: Bool
    /// Whether few schedules make the first one simple. XCTest's own steps need more than there is
    /// time for on a busy machine.
    var isShort: Bool { !test.contains("Old") }

    init(
      _ test: String, old name: String? = nil, _ kind: String, _ title: String,
      words: String? = nil, isReplayed: Bool = false
    ) {
      (self.test, self.name, self.kind) = (test, name ?? test, kind)
      (self.title, self.words, self.isReplayed) = (title, words, isReplayed)
    }
  }

  private static let crash = "Crash: an assertion, precondition or fatalError failed"

  private static let cases = [
    Case(
      "KeyTests.KeyTests/oneGuestGetsTheKey()", "assertionFailure",
      ": KeyTests.swift:59: Expectation failed: (Keys.ofGuests.takeTwice() → 2) == 1",
      isReplayed: true),
    Case(
      "KeyTests.KeyTests/asserts()", "crash", crash, words: "2 guests have the key",
      isReplayed: true),
    Case(
      "KeyTests.KeyTests/throwsAnError()", "assertionFailure", ": threw WrongCount(count: 2)"),
    Case("KeyTests.KeyTests/endsTheProcess()", "assertionFailure", ": ends with status 3"),
    Case(
      "KeyTests.KeyTests/waitsForEver()", "hang",
      ": nothing can go on: nobody resumes what the body awaits", isReplayed: true),
    Case(
      "KeyTests.KeyTests/oneOfSomeGetsTheKey(_:)", "assertionFailure",
      ": KeyTests.swift:86: Expectation failed: "),
    Case(
      "KeyTests.OldKeyTests/testOneGuestGetsTheKey", old: "OldKeyTests.testOneGuestGetsTheKey",
      "assertionFailure",
      ": KeyTests.swift:116: XCTAssertEqual failed: (\"2\") is not equal to (\"1\")"),
  ]

  /// Each failure is told with its steps, and runs again in another process.
  @Test func eachScheduleHasAProcess() async throws {
    let (result, report) = try await threadmill(
      ["test", "--explore", "--isolate", "--schedules", "200", "--filter", "^KeyTests"],
      isCareless: true)
    #expect(result.outcome == .exited(1), "\(result.standardOutput)\(result.standardError)")
    // A potential cycle makes no schedule fail. It is told once for all schedules, and once for
    // the usual run.
    let locking = "KeyTests.KeyTests/locksBothWays()"
    let potential = report.accusations.filter { $0.tests == [locking] }
    #expect(potential.map(\.kind) == ["lockOrderCycle"])
    #expect(potential.map(\.count) == [2])
    #expect(
      Set(report.accusations.flatMap(\.tests)) == Set(Self.cases.map(\.name) + [locking]))
    for expected in Self.cases {
      let found = try finding(report, expected)
      #expect(found.facts?.contains { $0.text.hasSuffix(" of this exploration") } == true)
      let schedule = try #require(found.schedule)
      #expect(schedule.hasPrefix("tm3:"))
      let forced = try Schedule(parsing: schedule).forcedSwitches
      #expect(expected.isShort ? forced == 1 : forced >= 1)
      #expect(result.standardOutput.contains(" \(expected.replayed) \(schedule)\n"))
      guard expected.isReplayed else { continue }
      let (again, same) = try await threadmill(
        ["replay", expected.test, schedule], isCareless: true)
      #expect(again.outcome == .exited(1), "\(again.standardOutput)\(again.standardError)")
      #expect(again.standardOutput.hasSuffix("the test failed under this schedule again\n"))
      #expect(try finding(same, expected).schedule == schedule)
    }
  }

  /// Without the switch, a test that fails in every order because it has run before gets them.
  @Test func aTestThatPassesOnceIsIsolatedByItself() async throws {
    let test = try #require(Self.cases.first)
    let (result, report) = try await threadmill(
      ["test", "--explore", "--schedules", "200", "--filter", "oneGuestGetsTheKey"],
      isCareless: true)
    #expect(result.outcome == .exited(1), "\(result.standardOutput)\(result.standardError)")
    #expect(try finding(report, test).schedule?.hasPrefix("tm3:") == true)
    #expect(report.accounting["exploredTests"] == 1)
    #expect(!result.standardOutput.contains("not explored"))
  }

  /// Correct tests are explored to the end, and pass.
  @Test(arguments: [true, false])
  func repairedTestsAreFine(areIsolated: Bool) async throws {
    let (result, report) = try await threadmill(
      ["test", "--explore", "--schedules", "30", "--filter", "^KeyTests"]
        + (areIsolated ? ["--isolate"] : []), isCareless: false)
    #expect(result.outcome == .exited(0), "\(result.standardOutput)\(result.standardError)")
    #expect(report.accusations.map(\.title) == [])
    #expect(report.accounting["exploredTests"] == 10)
    #expect(report.accounting["uncontrolledOperations"] == nil)
    #expect(!result.standardOutput.contains("not explored"))
  }

  /// A test that looks at its schedules itself is explored, or named, as without the switch.
  @Test func whoLooksAtSchedulesKeepsTheProcess() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.swiftTesting.threadmillTest(
      [
        "--explore", "--isolate", "--schedules", "20", "--filter", "SelfExploring", "--json",
        file.path,
      ], environment: ["TOOL_SHED_EXPLORES": "1"])
    #expect(result.outcome == .exited(0), "\(result.standardOutput)\(result.standardError)")
    let report = try #require(try ReportFile(at: file), "\(result.standardError)")
    #expect(report.accounting["exploredTests"] == 1)
    #expect(report.accounting["exploredSchedules"] == 20)
    #expect(
      result.standardOutput.contains(
        "  not explored: SwiftTestingUserTests.SelfExploring/exploresByItself(): it explores by"
          + " itself\n"), "\(result.standardOutput)")
  }

  /// A test that cannot pass in a copy fails in every order there, whatever the order is: it is
  /// named, and not accused.
  @Test func aFailureOfEveryOrderIsNone() async throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let path = folder.file("keys").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let result = try await Fixture.otherStranger.threadmillTest(
      ["--explore", "--isolate", "--schedules", "20", "--filter", "KeyTests/(one|finds)"],
      environment: ["TMPDIR": path, "KEY_FOLDER": path])
    #expect(result.outcome == .exited(0), "\(result.standardOutput)\(result.standardError)")
    #expect(result.standardOutput.contains("Threadmill: no findings\n"))
    #expect(
      result.standardOutput.contains(
        "  not explored: KeyTests.KeyTests/findsItsFolder(): it fails in each of 33 orders, each in"
          + " a process of its own: KeyTests.swift:"), "\(result.standardOutput)")
  }

  /// XCTest's tests that skip themselves or measure are named, and cost no schedule.
  @Test func whatIsNotExploredIsNamed() async throws {
    let result = try await Fixture.otherStranger.threadmillTest(
      ["--explore", "--isolate", "--filter", "OrderTests/test(Skips|Measures)"])
    #expect(result.outcome == .exited(2), "\(result.standardOutput)")
    for words in ["testMeasures: it measures its speed\n", "testSkips: it is skipped\n"] {
      #expect(result.standardOutput.contains("  not explored: OrderTests.OrderTests/\(words)"))
    }
  }

  /// A seed gives the same schedules on one core and on two.
  @Test func coresChangeNothing() async throws {
    var reports: [ReportFile] = []
    for cores in [1, 2] {
      let (result, report) = try await threadmill(
        [
          "test", "--explore", "--isolate", "--schedules", "40", "--seed", "5", "--filter",
          "oneGuestGetsTheKey",
        ], isCareless: false, options: "cores=\(cores)")
      #expect(result.outcome == .exited(0), "\(result.standardOutput)\(result.standardError)")
      reports.append(report)
    }
    #expect(reports[0].accounting["exploredSchedules"] == 40)
    #expect(reports[0].accounting == reports[1].accounting)
  }

  private func finding(_ report: ReportFile, _ expected: Case) throws -> ReportFile.Finding {
    let all = report.accusations.filter { $0.tests == [expected.name] }
    #expect(all.map(\.kind) == [expected.kind])
    let found = try #require(all.first)
    #expect(found.title.contains(expected.title), "\(found.title)")
    let said = found.facts?.map(\.text).filter { $0.hasPrefix("the program said: ") } ?? []
    #expect(said.count == (expected.words == nil ? 0 : 1))
    #expect(said.allSatisfy { $0.hasSuffix(expected.words ?? "") }, "\(said)")
    // One guest looks, the other one looks and takes the key, and the first one takes it.
    let steps = try #require(found.story).steps.filter {
      $0.operation == "lock" && $0.places?.first?.function == "Keys.take()"
    }
    #expect(steps.map { $0.places?.first?.line } == [29, 29, 30, 30])
    #expect(steps.count == 4 && steps[1].column == steps[2].column)
    return found
  }

  private func threadmill(
    _ words: [String], isCareless: Bool, options: String? = nil
  ) async throws -> (ChildProcess.Result, ReportFile) {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.otherStranger.threadmill(
      words[0], ["--json", file.path] + words.dropFirst(), options: options,
      environment: isCareless ? ["KEY_IS_CARELESS": "1"] : [:])
    return (result, try #require(try ReportFile(at: file), "\(result.standardError)"))
  }
}

extension IsolatedTestsTests.Case {
  /// As the command that repeats it names the test.
  fileprivate var replayed: String {
    name.contains("(") ? "'\(name)'" : name
  }
}
