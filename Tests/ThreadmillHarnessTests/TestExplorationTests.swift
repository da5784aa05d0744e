import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// An exploration that a test asks for: what counts, and what the test answers for.
@Suite struct TestExplorationTests {
  private static func run(
    _ arguments: [String], options: String = ""
  ) async throws -> Watched.Run {
    try await Watched(
      program: "harness-explored", arguments: ["as-test"] + arguments, options: options
    ).run()
  }

  /// What the test's code says comes before the options, and these before nothing.
  @Test func theTestsOwnWishCountsFirst() async throws {
    let options = "schedules=9 strategy=random-walk seed=5"
    func seen(_ arguments: String...) async throws -> [Int?] {
      let run = try await Self.run(arguments, options: options)
      let report = try #require(run.report)
      let finding = report.findings.first { $0.schedule != nil }
      #expect(run.child.standardOutput == "complaint none\n")
      return [report.accounting["exploredSchedules"], finding?.seed.map(Int.init)]
    }
    #expect(try await seen("opposite-locks-repaired") == [9, nil])
    #expect(try await seen("opposite-locks-repaired", "7") == [7, nil])
    #expect(try await seen("lost-wakeup", "200")[1] == 5)
    #expect(try await seen("lost-wakeup", "200", "random-walk", "7")[1] == 7)
    // All orders of this one are soon tried.
    #expect(try await seen("synced-accessors-repaired", "999", "exhaustive")[0] ?? 999 < 999)
    #expect(try await seen("synced-accessors-repaired", "999") == [999, nil])
  }

  /// What was covered, in the report of the process: a lock that four threads hand on, in orders
  /// that all were tried.
  @Test func whatWasCoveredIsInTheReport() async throws {
    func explored(_ strategy: String) async throws -> ReportFile.Exploration {
      let run = try await Self.run(["synced-accessors-repaired", "999", strategy])
      let explored = try #require(run.report?.explorations)
      #expect(explored.map(\.test) == ["Tests.one()"])
      return try #require(explored.first)
    }
    let all = try await explored("exhaustive")
    #expect(all.complete && all.handOvers > 0 && all.lastNew > 0 && all.uncontrolled == 0)
    // Chance comes to the same pairs, long before its schedules are over.
    let some = try await explored("random-walk")
    #expect(!some.complete && some.schedules == 999)
    #expect(some.handOvers == all.handOvers && some.seenOnce == 0)
  }

  @Test func theFindingIsTheTestsAndSaysWhichScheduleItWas() async throws {
    let report = try #require(try await Self.run(["lost-wakeup", "200"]).report)
    #expect(report.accusations.map(\.tests) == [["Tests.one()"]])
    let schedules = try #require(report.accounting["exploredSchedules"])
    let facts = try #require(report.accusations.first?.facts).map(\.text)
    #expect(facts.contains("schedule \(schedules) of this exploration"), "\(facts)")
    #expect(report.accounting["exploredTests"] == 1)
    #expect(report.accounting["replaysThatDiverged"] == nil)
  }

  /// A schedule of another test, or of another build of this one.
  @Test func aScheduleThatIsNotFollowedIsSaid() async throws {
    let own = try #require(try await Self.run(["lost-wakeup", "200"]).report?.accusations.first)
    let schedule = try #require(own.schedule)
    let again = try await Self.run(["lost-wakeup"], options: "schedule=\(schedule)")
    #expect(again.child.standardOutput == "complaint none\n")
    #expect(again.report?.accounting["replaysThatDiverged"] == nil)
    #expect(again.report?.accusations.map(\.kind) == ["hang"])
    let other = try await Self.run(["synced-accessors-repaired"], options: "schedule=\(schedule)")
    let said = other.child.standardOutput
    #expect(said.hasPrefix("complaint Threadmill: the test did not follow the schedule: step "))
    #expect(other.report?.accounting["replaysThatDiverged"] == 1)
  }

  /// The next exploration knows nothing of the last one, a child of the process not where this one
  /// writes its steps, and the end of the process has no schedule.
  @Test func nothingIsLeftOver() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let trail = directory.file("trail")
    try Data().write(to: trail)
    let run = try await Watched(
      program: "harness-explored", arguments: ["leaves"],
      environment: ["THREADMILL_SCHEDULE": trail.path]
    ).run()
    let places = run.child.standardOutput.split(separator: "\n")
    #expect(places == ["variable gone", "places-of-file 1", "places-of-opposite-locks-repaired 0"])
    #expect(run.child.outcome == .signalled(SIGABRT))
    #expect(run.report?.accusations.map(\.kind) == ["crash"])
    #expect(run.report?.accusations.map { $0.schedule == nil } == [true])
  }
}
