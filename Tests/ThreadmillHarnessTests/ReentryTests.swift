import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A certain re-entry is told before it happens; `continue=true` lets the program survive it.
@Suite struct ReentryTests {
  /// A scenario whose flawed variant goes into what it is already in.
  struct Reentry: Sendable, CustomTestStringConvertible {
    var scenario: String
    var kind: String
    /// The function that goes in again.
    var function: String

    var testDescription: String { scenario }
  }

  static let reentries = [
    Reentry(scenario: "relock", kind: "selfDeadlock", function: "Settings.set(_:for:)"),
    Reentry(
      scenario: "upgrade-read-lock", kind: "selfDeadlock",
      function: "RouteTable.distanceUpgrading(to:)"),
    Reentry(scenario: "sync-on-current-queue", kind: "queueReentry", function: "PhotoList.trim()"),
    Reentry(
      scenario: "sync-through-target", kind: "queueReentry",
      function: "PhotoLibrary.caption(of:)"),
    Reentry(
      scenario: "main-sync-from-main", kind: "queueReentry",
      function: "TitleLabel.hopAndShow(_:)"),
  ]

  @Test(arguments: reentries) func theProgramGoesOnToItsEnd(_ reentry: Reentry) async throws {
    let run = try await Watched.scenario(reentry.scenario, "flawed", options: "continue=true").run()
    #expect(run.child.outcome == .exited(1))
    try check(reentry, run)
  }

  @Test(arguments: reentries) func withoutItTheProgramMeetsItsFate(
    _ reentry: Reentry
  ) async throws {
    let run = try await Watched.scenario(reentry.scenario, "flawed").runUntilItSays("fingerprint")
    let fates: [ChildProcess.Outcome] = [
      .stopped, .signalled(SIGILL), .signalled(SIGTRAP),
    ]
    #expect(fates.contains(run.child.outcome))
    try check(reentry, run)
  }

  private func check(_ reentry: Reentry, _ run: Watched.Run) throws {
    let report = try #require(run.report)
    try #require(report.accusations.count == 1)
    let finding = report.accusations[0]
    #expect(finding.kind == reentry.kind)
    #expect(finding.status == "observed")
    try #require(finding.participants.count == 1)
    #expect(finding.participants[0].frames.firstUserFrame?.function == reentry.function)
    #expect(run.child.standardError.contains(finding.title))
  }
}
