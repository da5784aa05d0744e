import Foundation
import Testing
import ThreadmillTestSupport

/// A test that hangs inside `swift test`: whoever comes back finds out which one, and where.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct HangingTestTests {
  /// What a finding is and which tests it is charged to.
  struct Charge: Hashable {
    var kind: String
    var tests: [String]
  }

  /// One fixture whose tests have these names in reports.
  struct User: Sendable, CustomTestStringConvertible {
    var fixture: Fixture
    var hangs: String
    var guilty: String

    var testDescription: String { fixture.name }
  }

  static let users = [
    User(
      fixture: .swiftTesting, hangs: "SwiftTestingUserTests.mustHangOnALoan()",
      guilty: "SwiftTestingUserTests.mustFindOppositeOrdersOnTwoThreads()"),
    User(
      fixture: .xctest, hangs: "MustHangTests.testMustHangOnALoan",
      guilty: "MustFindTests.testMustFindOppositeOrdersOnTwoThreads"),
  ]

  @Test(arguments: users) func theTestIsNamedAndEarlierFindingsAreKept(_ user: User) async throws {
    let run = try await patient(user.fixture, "HangOnALoan|FindOppositeOrdersOnTwoThreads")
    #expect(run.child.outcome == .exited(1))
    let report = try #require(run.report)
    #expect(
      Set(report.accusations.map { Charge(kind: $0.kind, tests: $0.tests) }) == [
        Charge(kind: "hang", tests: [user.hangs]),
        Charge(kind: "lockOrderCycle", tests: [user.guilty]),
      ])
    #expect(run.hung == [user.hangs: "Loan.swift"])
  }

  /// No thread waits: the test's task does.
  @Test func aTestThatOnlyAwaitsIsNamed() async throws {
    let run = try await patient(.swiftTesting, "mustHangOnAnAnswer")
    #expect(run.child.outcome == .exited(1))
    let report = try #require(run.report)
    let name = "SwiftTestingUserTests.mustHangOnAnAnswer()"
    #expect(
      report.accusations.map { Charge(kind: $0.kind, tests: $0.tests) } == [
        Charge(kind: "hang", tests: [name])
      ])
    let hang = try #require(report.accusations.first)
    #expect(hang.participants.isEmpty)
    #expect(hang.objects.map(\.kind) == ["continuation"])
    let places = try #require(hang.facts?.first?.frames)
    let users = places.filter { $0.system != true && $0.line != nil }.compactMap(\.function)
    #expect(Array(users.prefix(2)) == ["Loan.answer()", "mustHangOnAnAnswer()"])
    #expect(run.hung == [name: "Loan.swift"])
  }

  /// The mistakes have findings of their own, which name each `await` on the way.
  @Test func differentAwaitsAreDifferentHangs() async throws {
    let run = try await patient(.swiftTesting, "mustHangOnA(nAnswer|Stream|Task)")
    let hangs = try #require(run.report).accusations
    #expect(hangs.allSatisfy { $0.kind == "hang" && $0.participants.isEmpty })
    let functions = hangs.map { hang in
      (hang.facts ?? []).compactMap { fact in
        fact.frames?.first { $0.system != true && $0.line != nil }?.function
      }
    }
    #expect(
      Set(functions) == [
        ["Loan.answer()"], ["mustHangOnAStream()"],
        ["mustHangOnATask()", "Loan.answer()", "mustHangOnATask()"],
      ])
    #expect(
      Set(hangs.map(\.tests)) == [
        ["SwiftTestingUserTests.mustHangOnAnAnswer()"],
        ["SwiftTestingUserTests.mustHangOnAStream()"],
        ["SwiftTestingUserTests.mustHangOnATask()"],
      ])
    #expect(Set(hangs.map(\.fingerprint)).count == 3)
  }

  /// Each awaits, longer than the limit, what comes from a timer, a sleeping task or another
  /// process.
  @Test(arguments: [
    "mustWaitForALateAnswer", "mustWaitForASleeper", "mustWaitForAChild",
    "mustWaitForAnotherProcess",
  ]) func aTestThatAwaitsSomethingIsLeftAlone(_ name: String) async throws {
    let run = try await patient(.swiftTesting, name, seconds: 1)
    #expect(run.child.outcome == .exited(0), "\(run.child.standardOutput)")
    #expect(run.child.standardOutput.contains("\(name)() passed"))
    #expect(run.report?.findings.isEmpty ?? true)
  }

  private func patient(
    _ fixture: Fixture, _ filter: String, seconds: Int = 2
  ) async throws -> Fixture.Run {
    try await fixture.test(
      ["--filter", filter], options: "hang=\(seconds)",
      environment: ["TOOL_SHED_IS_PATIENT": "1"])
  }
}

extension Fixture.Run {
  /// The tests that are said to hang, each with the file in which.
  fileprivate var hung: [String: String] {
    let lines = (child.standardOutput + child.standardError).split(separator: "\n")
    let pairs = lines.compactMap { line -> (String, String)? in
      guard let match = line.wholeMatch(of: #/threadmill: (.*) hung at (.*):\d+: nothing moved.*/#)
      else { return nil }
      return (String(match.1), URL(filePath: String(match.2)).lastPathComponent)
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
