import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A wait for a lock whose owner has ended is told at once, with both threads, by a program that
/// never ends.
@Suite struct EndedOwnerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var program = "harness-plain-locks"
    var name: String
    var lock = "mutex"
    /// The functions that wait for the lock, and that took it.
    var waits: String
    var took: String
    /// The owner's own name.
    var owner: String?

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "owner-ended", waits: "owner_ended", took: "lock_and_end"),
    Case(
      name: "recursive-owner-ended", lock: "recursiveMutex", waits: "recursive_owner_ended",
      took: "lock_and_end", owner: "keeper"),
    Case(
      name: "owner-ends-while-awaited", waits: "owner_ends_while_awaited",
      took: "end_while_awaited"),
    Case(
      name: "writer-ended", lock: "readWriteLock", waits: "writer_ended", took: "write_and_end"),
    Case(
      program: "harness-standstill", name: "ended-owner", waits: "Relay.takeOver()",
      took: "Relay.runAway()"),
  ]

  @Test(arguments: cases) func isToldWithBothPlaces(_ sample: Case) async throws {
    let program = Watched(program: sample.program, arguments: [sample.name])
    let run = try await program.runUntilItSays("Deadlock: ")
    #expect(run.child.outcome == .stopped)
    let findings = try #require(run.report).accusations.filter { $0.kind == "deadlock" }
    try #require(findings.count == 1)
    let finding = findings[0]
    #expect(finding.status == "observed")
    #expect(finding.objects.map(\.kind) == [sample.lock])
    try #require(finding.participants.count == 2)
    let (waiter, owner) = (finding.participants[0], finding.participants[1])
    #expect(waiter.wants == finding.objects[0].id)
    #expect(waiter.frames.firstUserFrame?.function == sample.waits)
    #expect(waiter.thread != owner.thread)
    #expect(owner.holds.map(\.object) == [finding.objects[0].id])
    #expect(owner.holds[0].frames.firstUserFrame?.function == sample.took)
    #expect(owner.role.hasSuffix(" and has ended"))
    let name = sample.owner.map { "\"\($0)\"" } ?? owner.thread
    #expect(finding.title.hasSuffix("taken by thread \(name), which has ended"))
    #expect(run.child.standardError.contains(finding.title))
  }

  /// The lock is given back after all, or the system gives it back, or the wait ends by itself.
  @Test(arguments: [
    "robust-owner-ended", "unlocked-for-the-ended", "made-again-after-the-end",
    "waited-with-a-limit", "reader-ended",
  ])
  func whatIsNoDeadlockIsNotTold(_ name: String) async throws {
    let run = try await Watched(program: "harness-plain-locks", arguments: [name]).run()
    #expect(run.child.outcome == .exited(0))
    let kinds = try #require(run.report).kinds
    #expect(kinds.isSubset(of: ["lockMisuse"]))
  }

  /// The finding of an exploration has both threads, and the table says who can go on no more.
  @Test func isTheCauseInAnExploration() async throws {
    let run = try await Watched(
      program: "harness-explored", arguments: ["ended-owner", "random-walk", "1000", "1"]
    ).run()
    let findings = try #require(run.report).findings.filter { $0.kind == "deadlock" }
    try #require(findings.count == 1)
    let roles = findings[0].participants.map(\.role)
    try #require(roles.count == 2)
    #expect(roles[0].hasPrefix("waits for mutex "))
    #expect(roles[1].hasSuffix(" has ended"))
    #expect(run.child.standardOutput.contains("took, and it has ended"))
  }
}
