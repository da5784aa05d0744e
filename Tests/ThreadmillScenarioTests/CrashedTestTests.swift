import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// Tests of a package that end their process in one order of their steps: the crash is told with
/// the steps that led to it, by processes that each run one schedule.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct CrashedTestTests {
  /// A test, and what is told of its crash.
  struct Case: Sendable, CustomTestStringConvertible {
    var test: String
    var title: String
    /// What the program said of the error itself.
    var words: String?
    /// The innermost function of the user's, with its line.
    var place: String?
    /// Whether few schedules make the first one simple. XCTest's own steps need more than there is
    /// time for on a busy machine.
    var isShort: Bool { !test.contains("Old") }

    var testDescription: String { test }
  }

  private static let failed = "Crash: an assertion, precondition or fatalError failed"

  static let cases = [
    Case(
      test: "CrashTests.CrashTests/asserts()", title: failed, words: "a payment is lost: 1",
      place: "CrashTests.asserts() 39"),
    Case(
      test: "CrashTests.CrashTests/assertsInATask()", title: failed, words: "a payment is lost",
      place: "CrashTests.assertsInATask() 47"),
    Case(
      test: "CrashTests.CrashTests/writesNowhere()",
      title: "Crash: an invalid memory access (SIGSEGV)", place: "CrashTests.writesNowhere() 52"),
    Case(
      test: "CrashTests.CrashTests/assertsForTwo(_:)", title: failed, words: "a payment is lost",
      place: "CrashTests.assertsForTwo(_:) 58"),
    Case(test: "CrashTests.CrashTests/overwritesTheHeap()", title: "Crash: an abort (SIGABRT)"),
    Case(
      test: "CrashTests.OldCrashTests/testAsserts", title: failed, words: "a payment is lost: 1",
      place: "OldCrashTests.testAsserts() 80"),
    Case(
      test: "CrashTests.OldCrashTests/testAssertsInATask", title: failed,
      words: "a payment is lost", place: "OldCrashTests.testAssertsInATask() 88"),
  ]

  @Test(arguments: cases)
  func aCrashIsToldWithItsSteps(_ expected: Case) async throws {
    let (result, report) = try await threadmill(
      ["test", "--explore", "--schedules", "200", "--filter", expected.filter], isCareless: true)
    #expect(result.outcome == .exited(1), "\(result.standardError)")
    let found = try finding(report, expected)
    let number = try #require(
      found.facts?.map(\.text).first { $0.hasSuffix(" of this exploration") })
    #expect(number.hasPrefix("schedule "))
    #expect(report.accounting["exploredTests"] == 1)
    let schedules = number.split(separator: " ")[1]
    #expect(report.accounting["exploredSchedules"].map { $0 >= Int(schedules) ?? .max } == true)

    let schedule = try #require(found.schedule)
    if expected.isShort { #expect(try Schedule(parsing: schedule).forcedSwitches == 1) }
    let (again, same) = try await threadmill(
      ["replay", expected.test, schedule], isCareless: true)
    #expect(again.outcome == .exited(1), "\(again.standardError)")
    #expect(again.standardOutput.hasSuffix("the test failed under this schedule again\n"))
    #expect(same.accusations.first?.schedule == schedule)
    #expect(try finding(same, expected).steps == found.steps)
  }

  @Test func repairedTestsAreFine() async throws {
    let (result, report) = try await threadmill(
      ["test", "--explore", "--schedules", "50", "--filter", "CrashTests"], isCareless: false)
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    #expect(report.accusations.map(\.title) == [])
    #expect(report.accounting["exploredTests"] == 8)
  }

  /// The only accusation of a run, compared as far as the test determines it.
  private func finding(_ report: ReportFile, _ expected: Case) throws -> ReportFile.Finding {
    #expect(report.accusations.map(\.kind) == ["crash"])
    let found = try #require(report.accusations.first)
    #expect(found.title == expected.title)
    let said = found.facts?.map(\.text).filter { $0.hasPrefix("the program said: ") } ?? []
    #expect(said.count == (expected.words == nil ? 0 : 1))
    if let words = expected.words {
      #expect(said.first?.hasSuffix(words) == true, "\(said)")
    }
    if let place = expected.place {
      let frame = found.participants.lazy.compactMap(\.frames.firstUserFrame).first
      #expect(frame.map { "\($0.function ?? "?") \($0.line ?? 0)" } == place)
    }
    // One payment reads the count, the other one is whole, and the first one writes.
    let story = try #require(found.story)
    let locks = story.steps.filter {
      $0.operation == "lock" && $0.places?.first?.function?.hasPrefix("Till.") == true
    }.prefix(4)
    #expect(
      locks.map { $0.places?.first?.function } == [
        "Till.count.getter", "Till.count.getter", "Till.pay()", "Till.pay()",
      ])
    let columns = locks.map(\.column)
    try #require(columns.count == 4)
    #expect(columns == [columns[0], columns[1], columns[1], columns[0]])
    #expect(columns[0] != columns[1])
    return found
  }

  private func threadmill(
    _ words: [String], isCareless: Bool
  ) async throws -> (ChildProcess.Result, ReportFile) {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let result = try await Fixture.otherStranger.threadmill(
      words[0], ["--json", file.path] + words.dropFirst(),
      environment: isCareless ? ["TILL_IS_CARELESS": "1"] : [:])
    return (result, try #require(try ReportFile(at: file), "\(result.standardError)"))
  }
}

extension CrashedTestTests.Case {
  /// An expression for this test alone.
  fileprivate var filter: String { "^\(NSRegularExpression.escapedPattern(for: test))$" }
}

extension ReportFile.Finding {
  /// The steps without the numbers of objects, which are those of a process.
  fileprivate var steps: [String]? {
    story?.steps.map { step in
      let place = step.places?.first
      return "\(step.column) \(step.operation) \(place?.function ?? "") \(place?.line ?? 0)"
    }
  }
}
