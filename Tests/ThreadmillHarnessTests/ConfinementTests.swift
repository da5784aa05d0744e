import Foundation
import Testing
import ThreadmillModel
import ThreadmillTestSupport

/// What belongs to a queue or an actor: every way to be there is silent, every way not to be is
/// one finding.
@Suite struct ConfinementTests {
  static let right = [
    "queue-async", "queue-sync", "queue-sync-of-thread", "queue-sync-under-load",
    "inside-other-sync", "async-inside-other-sync", "through-target", "concurrent-through-target",
    "source-handler", "source-handler-inside-other-sync", "after-and-notify", "work-item",
    "operation", "concurrent-queue", "concurrent-source-inside-other-sync", "global-queue",
    "main-itself", "main-async", "main-sync-of-thread", "main-actor-task",
    "main-queue-for-main-actor", "actor-itself", "actor-under-load", "actor-of-inheriting-task",
    "actor-going-away", "actor-of-own-executor",
  ]
  static let wrong = [
    "thread", "main-thread", "other-queue", "global", "after-its-sync", "target-only", "sibling",
    "thread-started-inside", "concurrent-queue-from-thread", "again-and-again", "token",
    "main-from-global", "main-actor-from-task", "actor-from-task", "actor-from-other-actor",
    "actor-from-thread",
  ]

  private static func watched(_ name: String, options: String = "") -> Watched {
    Watched(program: "harness-confinement", arguments: [name], options: options)
  }

  @Test func everyCaseIsTested() async throws {
    let run = try await Self.watched("list").run()
    let lines = run.child.standardOutput.split(separator: "\n").map(String.init)
    let expected = Self.right.map { "\($0) right" } + Self.wrong.map { "\($0) wrong" }
    #expect(lines.sorted() == expected.sorted())
  }

  @Test(arguments: right) func whereItBelongs(_ name: String) async throws {
    let run = try await Self.watched(name).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  @Test(arguments: wrong) func elsewhere(_ name: String) async throws {
    let run = try await Self.watched(name).run()
    #expect(run.child.outcome == .exited(1))
    let report = try #require(run.report)
    try #require(report.accusations.count == 1)
    let finding = report.accusations[0]
    #expect(finding.kind == "confinementViolation")
    #expect(finding.status == "observed")
    #expect(finding.title.hasPrefix("Confinement violation: Ledger belongs to "))
    try #require(finding.participants.count == 2)
    let use = try #require(finding.participants[0].frames.firstUserFrame)
    #expect(use.function == (name == "token" ? "look(_:)" : "book(_:)"))
    let confined = try #require(finding.participants[1].frames.firstUserFrame?.file)
    #expect(confined.hasSuffix("Cases.swift"))
    #expect(finding.objects.first?.kind == "confined")
  }

  /// Nothing is looked for, nothing is said, and the program does what it did.
  @Test(arguments: ["detect=false", "without=confinementViolation"])
  func switchedOff(options: String) async throws {
    let run = try await Self.watched("token", options: options).run()
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).kinds == [])
  }
}
