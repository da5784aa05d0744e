import Foundation
import Testing
import ThreadmillScenarios
import ThreadmillTestSupport

@Suite struct VerdictLogTests {
  private struct Content: Decodable {
    var version: Int
    var rows: [VerdictLog.Row]
  }

  @Test func writesWhatWasExpectedAndSeen() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("verdicts.json")
    let log = VerdictLog(file: file)
    let sample = try #require(Case.all.first { $0.testDescription == "hammer-and-saw harmful" })
    let verdict = try #require(sample.expectation.verdicts[.observe])
    let both = try report(kinds: ["deadlock", "lockOrderCycle"])
    let other = try #require(Case.all.first { $0.testDescription == "gate-lock flawed" })
    try await log.record(.init(sample, verdict, seen: both))
    try await log.record(.init(other, .silent, seen: nil))

    let content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    #expect(content.version == 1)
    #expect(
      content.rows == [
        .init(
          id: "gate-lock", variant: "flawed", mode: "observe", expected: [], seen: [], ok: false),
        .init(
          id: "hammer-and-saw", variant: "harmful", mode: "observe", expected: ["deadlock"],
          seen: ["deadlock", "lockOrderCycle"], ok: true),
      ])
  }

  /// The rule that every comparison rests on: silence is no find, and neither is too much.
  @Test(
    arguments: [
      ([], false), (["deadlock"], true), (["deadlock", "lockOrderCycle"], true),
      (["lockOrderCycle"], false), (["deadlock", "dataRace"], false),
    ] as [([String], Bool)])
  func aVerdictWantsAllAndNothingElse(kinds: [String], agrees: Bool) {
    let verdict = Scenario.Verdict.finds(required: ["deadlock"], allowed: ["lockOrderCycle"])
    #expect(verdict.agrees(with: Set(kinds)) == agrees)
    #expect(Scenario.Verdict.silent.agrees(with: Set(kinds)) == kinds.isEmpty)
  }

  private func report(kinds: [String]) throws -> ReportFile {
    let findings = kinds.map {
      #"{"kind":"\#($0)","status":"observed","severity":"error","title":"","fingerprint":"","tests":[],"count":1,"#
        + #""participants":[],"objects":[]}"#
    }
    let dropped = findings.map { $0.replacing("observed", with: "filtered") }
      .map { $0.replacing("deadlock", with: "hang") }
    let all = (findings + dropped).joined(separator: ",")
    let text = #"{"version":1,"run":{"id":"1","processes":1},"findings":[\#(all)]}"#
    return try JSONDecoder().decode(ReportFile.self, from: Data(text.utf8))
  }
}
