import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// What somebody gets who types `swift test --sanitize=thread` with tests that race.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixture is built with the sanitizer either way"),
  .enabled(if: hasSeveralProcessors, "two threads have to run at once"))
struct RaceFixtureTests {
  /// By the names of their functions.
  private static let racy: Set = [
    "racyOnThreads", "racyOnWorkers", "racyUnderTwoLocks", "racyInTasks", "racyInCodeUnderTest",
    "racyInCodeUnderTestToo", "racyFiveHundredTimes",
  ]
  /// Says that it races, and does not.
  private static let missed = "expectedAndMissed"
  private static let racyCases: Set = [
    "testRacyOnThreads", "testRacyInCodeUnderTest", "testRacyInCodeUnderTestToo",
  ]

  /// Where the two accesses are.
  private static let place = "Sources/Ledger/Ledger.swift:11"

  /// One run for all, since each builds what is out of date and takes its time.
  @Test func racyTestsFailByThemselves() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let units = (directory.file("units.xml"), directory.file("units-swift-testing.xml"))
    let run = try await Fixture.race.test(
      ["--sanitize=thread", "--parallel", "--xunit-output", units.0.path],
      environment: ["TSAN_OPTIONS": "atexit_sleep_ms=0"])
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let output = run.child.standardOutput + run.child.standardError
    #expect(!output.contains("WARNING: ThreadSanitizer"))

    #expect(Set(run.failures.keys) == Self.racy.union([Self.missed]), "\(output)")
    #expect(run.failures[Self.missed]?.contains("none was made: dataRace") == true)
    for test in Self.racy {
      let text = run.failures[test, default: ""]
      #expect(text.contains("Data race: "), "\(test): \(text)")
      #expect(text.contains("Ledger.swift:"), "\(test): \(text)")
    }
    #expect(run.failures["racyOnThreads"]?.contains(Self.place) == true)

    #expect(try failures(in: units.0) == Self.racyCases)
    #expect(
      try failures(in: units.1) == Set(Self.racy.union([Self.missed]).map { $0 + "()" }))
    for test in Self.racyCases {
      #expect(output.contains("Ledger.swift:11: error: LedgerXCTests.\(test) : Data race: "))
    }
    try check(try #require(run.report))
  }

  private func check(_ report: ReportFile) throws {
    let races = report.accusations
    #expect(races.allSatisfy { $0.kind == "dataRace" && $0.status == "observed" })
    let known = try #require(
      races.first { $0.tests == ["LedgerTests.LedgerTests/knownToBeRacy()"] })
    #expect(known.participants.count == 2)

    let often = races.filter { $0.tests == ["LedgerTests.LedgerTests/racyFiveHundredTimes()"] }
    #expect(often.count == 1)

    let shared = try #require(races.first { $0.tests.count > 1 })
    #expect(
      Set(shared.tests) == [
        "LedgerTests.LedgerTests/racyInCodeUnderTest()",
        "LedgerTests.LedgerTests/racyInCodeUnderTestToo()",
        "LedgerXCTests.testRacyInCodeUnderTest", "LedgerXCTests.testRacyInCodeUnderTestToo",
      ])
    #expect(shared.count >= 4)
    for innocent in ["correct", "expected"] {
      #expect(!races.contains { $0.tests.contains { $0.lowercased().contains(innocent) } })
    }
  }

  /// The names of the test cases that failed.
  private func failures(in file: URL) throws -> Set<String> {
    let text = try String(contentsOf: file, encoding: .utf8)
    let cases = text.split(separator: "<testcase ").dropFirst().filter { $0.contains("<failure") }
    return Set(
      cases.compactMap { $0.firstMatch(of: #/ name="([^"]*)"/#).map { String($0.output.1) } })
  }
}
