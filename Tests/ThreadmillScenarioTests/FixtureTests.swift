import Foundation
import Testing
import ThreadmillTestSupport

/// What somebody gets who adds one dependency and types `swift test`.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct FixtureTests {
  /// One mistake in the fixtures' code under test, and all that a reader must be told about it.
  struct Mistake: Sendable {
    var test: String
    /// The functions in which the two threads were.
    var functions: Set<String>
    /// `file:line` of the places where the two locks were created.
    var created: Set<String>
  }

  @Test func swiftTestingBlamesTheTestsAndNoOther() async throws {
    try await check(.swiftTesting, prefix: "mustFind")
  }

  @Test func xctestBlamesTheTestsAndNoOther() async throws {
    try await check(.xctest, prefix: "testMustFind")
  }

  /// Without the detectors the same tests pass, so it is the detectors that fail them.
  @Test(arguments: [Fixture.swiftTesting, .xctest])
  func withoutDetectorsEverythingPasses(_ fixture: Fixture) async throws {
    let run = try await fixture.test(options: "detect=false")
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(run.failures == [:])
    #expect(run.report?.findings.isEmpty ?? true)
  }

  /// A test that says what it leads to is not blamed for it, and fails where it does not come.
  @Test func whatSwiftTestingExpectsHasToCome() async throws {
    let failures = try await expectations(.swiftTesting)
    #expect(Set(failures.keys) == ["isMissed", "isAnother"])
    #expect(failures["isMissed"]?.contains(Self.missed("lockOrderCycle")) == true)
    #expect(failures["isAnother"]?.contains(Self.missed("deadlock")) == true)
    #expect(failures["isAnother"]?.contains("Lock order cycle") == true)
  }

  @Test func whatXCTestExpectsHasToCome() async throws {
    let failures = try await expectations(.xctest)
    #expect(Set(failures.keys) == ["testIsMissed", "testIsAnother", "testIsFoundTooLate"])
    #expect(failures["testIsMissed"]?.contains(Self.missed("lockOrderCycle")) == true)
    #expect(failures["testIsAnother"]?.contains(Self.missed("deadlock")) == true)
    #expect(failures["testIsAnother"]?.contains("Lock order cycle") == true)
    #expect(failures["testIsFoundTooLate"]?.contains(Self.missed("lockOrderCycle")) == true)
    #expect(failures["testIsFoundTooLate"]?.contains("Lock order cycle") == true)
  }

  /// It is the detectors that meet an expectation.
  @Test func withoutDetectorsNoExpectationIsMet() async throws {
    let failures = try await expectations(.swiftTesting, options: "detect=false")
    #expect(Set(failures.keys) == ["isFound", "isFoundInACase", "isMissed", "isAnother"])
  }

  /// What failed; the report has to have the findings that nobody expected, and no other.
  private func expectations(
    _ fixture: Fixture, options: String = ""
  ) async throws -> [String: String] {
    let run = try await fixture.test(
      ["--filter", "ExpectedFinding"], options: options, environment: ["TOOL_SHED_EXPECTS": "1"])
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let blamed = run.failures.filter { $1.contains("Lock order cycle") }.keys
    let accused = (run.report?.accusations ?? []).flatMap(\.tests)
    #expect(accused.count == blamed.count, "\(accused)")
    for test in blamed { #expect(accused.contains { $0.contains(test) }, "\(test)") }
    return run.failures
  }

  private static func missed(_ kind: String) -> String {
    "Expected a finding, and none was made: \(kind)"
  }

  private func check(_ fixture: Fixture, prefix: String) async throws {
    let mistakes = try Self.mistakes(prefix: prefix)
    let run = try await fixture.test()
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    #expect(
      Set(run.failures.keys) == Set(mistakes.map(\.test)), "\(run.child.standardError)")
    let report = try #require(run.report)
    #expect(report.accusations.count == mistakes.count, "\(report.accusations.map(\.title))")
    for mistake in mistakes {
      let text = run.failures[mistake.test, default: ""]
      for words in mistake.functions.union(mistake.created) {
        #expect(text.contains(words), "\(mistake.test) does not say \(words)")
      }
      check(try #require(report.finding(of: mistake.test)), against: mistake)
    }
  }

  private func check(_ finding: ReportFile.Finding, against mistake: Mistake) {
    #expect(finding.kind == "lockOrderCycle")
    #expect(finding.status == "potential")
    #expect(finding.tests.count == 1)
    #expect(finding.participants.count == 2)
    for function in mistake.functions {
      #expect(
        finding.participants.contains {
          $0.frames.contains { $0.function?.contains(function) == true }
        })
    }
    // Work in a group names that as well.
    #expect(finding.objects.filter { $0.kind == "mutex" }.count == 2)
    let created = Set(finding.objects.flatMap(\.places))
    #expect(created.isSuperset(of: mistake.created))
  }

  private static func mistakes(prefix: String) throws -> [Mistake] {
    [
      Mistake(
        test: "\(prefix)OppositeOrdersOnTwoThreads", functions: ["frameWall", "cutRafter"],
        created: [
          try place(of: "let hammer = NSLock()", in: "ToolShed.swift"),
          try place(of: "let saw = NSLock()", in: "ToolShed.swift"),
        ]),
      Mistake(
        test: "\(prefix)OppositeOrdersOnWorkers", functions: ["paintFence", "paintCeiling"],
        created: [
          try place(of: "let brush = NSLock()", in: "PaintRoom.swift"),
          try place(of: "let ladder = NSLock()", in: "PaintRoom.swift"),
        ]),
    ]
  }

  /// `file:line` of the only line of the tool shed's source that contains `code`.
  private static func place(of code: String, in file: String) throws -> String {
    let source = Checkout.root.appending(path: "Tests/Fixtures/ToolShed/Sources/ToolShed/\(file)")
    let lines = try String(contentsOf: source, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.firstIndex { $0.contains(code) })
    return "\(file):\(index + 1)"
  }
}

extension ReportFile {
  /// The one accusation that names this test; `nil` if there is none or more than one.
  fileprivate func finding(of test: String) -> Finding? {
    let findings = accusations.filter { $0.tests.contains { $0.contains(test) } }
    return findings.count == 1 ? findings[0] : nil
  }
}

extension ReportFile.Object {
  /// The places on the stack that created it, as `file:line` without folders.
  fileprivate var places: [String] {
    (created ?? []).compactMap { frame in
      guard let file = frame.file, let line = frame.line else { return nil }
      return "\(URL(filePath: file).lastPathComponent):\(line)"
    }
  }
}

extension Fixture: CustomTestStringConvertible {
  package var testDescription: String { name }
}
