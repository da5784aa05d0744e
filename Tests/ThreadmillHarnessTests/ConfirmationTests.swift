import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `confirm=true`: what could deadlock is made to, and what cannot is not.
@Suite(.disabled(if: isThreadSanitized, "a try takes seconds there, of the ten that there are"))
struct ConfirmationTests {
  static let possible = [
    "mutex", "read-write-lock", "spin-lock", "posix-semaphore", "semaphore", "two-functions",
    "recursion", "late-in-a-loop", "synced-queue", "block-of-queue", "target-queue",
  ]
  static let impossible = [
    "ordered-by-flag", "ordered-by-pipe", "ordered-by-file", "ordered-often",
  ]
  /// Scenarios whose flawed variant risks a deadlock.
  static let scenarios = [
    "hammer-and-saw", "opposite-transfer", "three-lock-ring", "lock-and-queue",
    "mutual-queue-sync", "callback-under-lock", "cancel-under-lock",
  ]

  @Test func everyCaseIsTested() async throws {
    let run = try await Watched(program: "harness-confirming", arguments: ["list"]).run()
    let names = run.child.standardOutput.split(separator: "\n").map(String.init)
    #expect(names == Self.possible + Self.impossible)
  }

  /// Twenty tries that fail all are less likely than a machine that is too slow for ten seconds.
  @Test(arguments: possible) func whatCanHappenIsConfirmed(_ name: String) async throws {
    let run = try await Watched(
      program: "harness-confirming", arguments: [name], options: "confirm=true seed=7"
    ).run()
    try expectConfirmed(run)
  }

  @Test(arguments: scenarios) func aScenarioIsConfirmed(_ id: String) async throws {
    let run = try await Watched.scenario(id, "flawed", options: "confirm=true seed=7").run()
    try expectConfirmed(run)
  }

  private func expectConfirmed(_ run: Watched.Run) throws {
    #expect(run.child.outcome == .exited(1))
    let report = try #require(run.report)
    let finding = try #require(report.accusations.first { $0.status == "confirmed" })
    #expect(finding.kind == "lockOrderCycle")
    #expect(finding.seed == 7)
    let confirmation = try #require(finding.confirmation)
    #expect((1...20).contains(confirmation.tries))
    let deadlock = try #require(confirmation.deadlock)
    #expect(deadlock.map(\.wants) == finding.participants.map(\.wants))
    #expect(deadlock.allSatisfy { $0.role.contains(" and waits for ") })
    let places = { (threads: [ReportFile.Participant]) in
      threads.map { $0.frames.firstUserFrame?.line }
    }
    #expect(places(deadlock) == places(finding.participants))
    // Each holds what the one before it waits for.
    for (previous, thread) in zip(deadlock.suffix(1) + deadlock.dropLast(), deadlock) {
      #expect(thread.holds.contains { $0.object == previous.wants })
    }
    #expect(run.child.standardError.contains("[confirmed lockOrderCycle]"))
  }

  /// The budget of ten seconds for each cycle is kept, and the program's end is as without.
  @Test(arguments: impossible) func whatCannotHappenStaysPotential(_ name: String) async throws {
    let run = try await Watched(
      program: "harness-confirming", arguments: [name], options: "confirm=true seed=7"
    ).run()
    #expect(run.child.outcome == .exited(1))
    let cycles = try #require(run.report).accusations
    #expect(!cycles.isEmpty)
    for cycle in cycles {
      #expect(cycle.kind == "lockOrderCycle")
      #expect(cycle.status == "potential")
      #expect(cycle.seed == nil)
      #expect(cycle.confirmation?.deadlock?.count == nil)
    }
    let tried = cycles.compactMap(\.confirmation)
    #expect(tried.contains { $0.tries > 3 })
  }

  @Test func nobodyIsStartedUnasked() async throws {
    let run = try await Watched(program: "harness-confirming", arguments: ["mutex"]).run()
    let finding = try #require(run.report?.accusations.first)
    #expect(finding.status == "potential")
    #expect(finding.confirmation?.tries == nil)
    #expect(!run.child.standardError.contains("starting the program again"))
  }

  @Test func aProgramWithoutCyclesIsNotStartedAgain() async throws {
    let run = try await Watched.scenario("gate-lock", "flawed", options: "confirm=true").run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
  }
}
