import Foundation
import Testing
import ThreadmillTestSupport

/// What the code of a finding's participant runs on: its queues, its group, its task.
@Suite struct RunsTests {
  /// By names, because identifiers differ from run to run.
  struct Runs: Hashable, Sendable {
    var queues: [String?] = []
    var kinds: [String] = []
    var root: String?
    var isPooled = false
    /// What the report lists under the identifier of the group, of the actor.
    var group: String?
    var actor: String?
    var isJob = false
    var priority: String?
  }

  static let thumbnails = Runs(
    queues: ["thumbnails", "images", "media"],
    kinds: ["serialQueue", "concurrentQueue", "concurrentQueue"], root: "utility", group: "group")
  static let task = Runs(root: "utility", isPooled: true, isJob: true, priority: "utility")
  static let onActor = Runs(
    root: "utility", isPooled: true, actor: "actor", isJob: true, priority: "utility")

  @Test(arguments: [
    ("chain", thumbnails), ("item", thumbnails), ("perform", thumbnails), ("sync", thumbnails),
    ("alone", Runs(root: "default")), ("task", task), ("actor", onActor),
  ])
  func ofTheOneThatWasSubmitted(_ name: String, _ expected: Runs) async throws {
    let run = try await Watched(program: "harness-runs", arguments: [name]).run()
    let finding = try #require(run.report?.accusations.first)
    #expect(run.report?.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(finding.runs == [nil, expected])
  }

  /// Told while both wait, by one of them.
  @Test(arguments: [
    (
      "deadlock",
      [
        thumbnails,
        Runs(queues: ["covers"], kinds: ["serialQueue"], root: "utility", group: "group"),
      ]
    ), ("deadlocked-tasks", [task, task]),
  ])
  func ofThoseThatWait(_ name: String, _ expected: [Runs]) async throws {
    let program = Watched(program: "harness-runs", arguments: [name])
    let run = try await program.run { file in
      .when { (try? ReportFile(at: file))?.kinds.contains("deadlock") == true }
    }
    let findings = try #require(run.report).accusations.filter { $0.kind == "deadlock" }
    let finding = try #require(findings.first)
    #expect(Set(finding.runs) == Set(expected))
    let tasks = finding.participants.compactMap { $0.runs?.job?.task }
    #expect(Set(tasks).count == expected.filter(\.isJob).count, "each task has its number")
  }

  /// Told after the wait, when the other one and its queues are gone.
  @Test func ofTheOneThatHadIt() async throws {
    let run = try await Watched(program: "harness-runs", arguments: ["inversion"]).run()
    let finding = try #require(run.report?.accusations.first)
    let screen = Runs(
      queues: ["screen"], kinds: ["serialQueue"], root: "userInitiated", group: "group")
    #expect(finding.runs == [screen, Self.thumbnails])
  }

  /// What leads into a task's status lock is kept until something is seen inside of such a lock,
  /// or there is too much of it.
  @Test(arguments: ["cancelled", "cancelled-in-a-crowd"])
  func ofTheOneThatIsToldLate(_ name: String) async throws {
    let run = try await Watched(program: "harness-runs", arguments: [name]).run()
    let finding = try #require(run.report?.accusations.first)
    #expect(run.report?.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(finding.objects.prefix(2).map(\.kind) == ["mutex", "taskStatusLock"])
    #expect(finding.runs == [Self.thumbnails, nil])
    let stacks = finding.participants.map { $0.frames.map(\.function) }
    #expect(stacks.count == 2 && stacks.allSatisfy { $0.contains("Turnstile.admit()") })
  }

  /// Blocks of libdispatch's own pools, too, run on threads that tasks may have blocked; but it
  /// adds one each second, so that is no starved pool. A detector that did not know would say so
  /// in nearly all runs of twelve rounds.
  @Test(.enabled(if: hasSeveralProcessors, "libdispatch adds no thread beside one that is busy"))
  func blocksGetTheirThread() async throws {
    let run = try await Watched(program: "harness-runs", arguments: ["helped"]).run()
    #expect(run.child.outcome == .exited(0))
    let starved = try #require(run.report).accusations.filter { $0.title.hasPrefix("Starved") }
    #expect(starved.map(\.title) == [])
  }

  @Test func theTextHasItInOneLine() async throws {
    let run = try await Watched(program: "harness-runs", arguments: ["chain"]).run()
    let finding = try #require(run.report?.accusations.first)
    let group = try #require(finding.participants.last?.runs?.group)
    let way = #""thumbnails" → "images" → "media" → global queue (utility), in group \#(group)"#
    let lines = run.child.standardError.split(separator: "\n").filter { $0.contains("runs on") }
    #expect(lines.map { $0.drop { $0 != "\"" } } == [way[...]])
  }

  @Test func theTextIsSilentWhereTheStackSaysAll() async throws {
    let run = try await Watched(program: "harness-runs", arguments: ["alone"]).run()
    #expect(run.child.outcome == .exited(1))
    #expect(!run.child.standardError.contains("runs on"))
  }

  /// What the judgement of waits is built on: libdispatch on Linux passes no quality of service on
  /// from a block to what it submits, and runs a work item at its queue's.
  @Test func noQualityIsPassedOn() async throws {
    let run = try await Watched(program: "harness-runs", arguments: ["qualities"]).run()
    let pairs = run.child.standardOutput.split(separator: "\n").map { $0.split(separator: " ") }
    let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    for (way, value) in values where way.hasSuffix("on-plain") || way.hasSuffix("on-global") {
      #expect(value == "0", "\(way)")
    }
    for (way, value) in values where way.hasSuffix("on-utility") { #expect(value == "2", "\(way)") }
    #expect(values.count == 10)
  }
}

extension ReportFile.Finding {
  /// What each participant runs on.
  fileprivate var runs: [RunsTests.Runs?] {
    participants.map { part in
      part.runs.map { runs in
        RunsTests.Runs(
          queues: runs.queues.map(\.label), kinds: runs.queues.map(\.kind), root: runs.root,
          isPooled: runs.pooled ?? false, group: kind(of: runs.group), actor: kind(of: runs.actor),
          isJob: runs.job != nil, priority: runs.job?.priority)
      }
    }
  }

  private func kind(of id: String?) -> String? {
    id.map { id in objects.first { $0.id == id }?.kind ?? "not listed" }
  }
}
