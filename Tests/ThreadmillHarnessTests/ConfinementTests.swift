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
    "actor-going-away", "actor-of-own-executor", "unseen-block", "unseen-block-inside-other-sync",
    "unseen-block-before-others", "concurrent-unseen-block-inside-other-sync",
    "concurrent-unseen-block-inside-unseen-sync", "concurrent-around-run-loop",
  ]
  static let wrong = [
    "thread", "main-thread", "other-queue", "global", "after-its-sync", "target-only", "sibling",
    "thread-started-inside", "concurrent-queue-from-thread", "again-and-again", "token",
    "main-from-global", "main-actor-from-task", "actor-from-task", "actor-from-other-actor",
    "actor-from-thread", "concurrent-queue-from-main-queue",
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
    let place = Self.place(of: name)
    #expect(
      finding.title == "Confinement violation: Ledger belongs to \(place) and is used elsewhere")
    try #require(finding.participants.count == 2)
    let use = try #require(finding.participants[0].frames.firstUserFrame)
    #expect(use.function == (name == "token" ? "look(_:)" : "book(_:)"))
    let confined = try #require(finding.participants[1].frames.firstUserFrame?.file)
    #expect(confined.hasSuffix("Cases.swift"))
    #expect(finding.objects.first?.kind == "confined")
  }

  /// Where the ledger belongs.
  private static func place(of name: String) -> String {
    switch name {
    case "target-only": #"serial queue "inner""#
    case "sibling": #"serial queue "first""#
    case _ where name.hasPrefix("concurrent"): #"concurrent queue "ledger""#
    case _ where name.hasPrefix("main-") && name != "main-thread": #"serial queue "main""#
    case _ where name.hasPrefix("actor"): "actor Bank"
    default: #"serial queue "ledger""#
    }
  }

  /// The ledger is confined by the main thread, which uses it itself or lets another one.
  @Test(arguments: ["main-thread": true, "thread": false])
  func whoConfinedIt(name: String, isTheSame: Bool) async throws {
    let run = try await Self.watched(name).run()
    let finding = try #require(run.report?.accusations.first)
    let threads = finding.participants.map(\.thread)
    #expect(threads.last == "T1")
    #expect((threads.first == "T1") == isTheSame)
  }

  /// Nothing is looked for, nothing is said, and the program does what it did.
  @Test(arguments: ["detect=false", "without=confinementViolation"])
  func switchedOff(options: String) async throws {
    let run = try await Self.watched("token", options: options).run()
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).kinds == [])
  }
}
