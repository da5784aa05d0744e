import Testing
import ThreadmillModel
import ThreadmillTestSupport

/// Explorations in builds with Thread Sanitizer, to which it is invisible that of all threads only
/// one goes on at a time.
@Suite(.enabled(if: isThreadSanitized, "only such a build reports races"))
struct ExploreRaceTests {
  @Test(arguments: ["lost-update", "lost-update-blocks", "lost-update-tasks"])
  func aRaceFailsItsScheduleEachTime(name: String) async throws {
    let facts = try await ExploreTests.facts(of: "harness-explored", [name], reportsRaces: true)
    #expect(facts["cause"]?.hasPrefix("Data race: ") == true, "\(facts)")
    #expect(facts["diverged"] == "no")
    #expect(facts["again"]?.hasPrefix("Data race: ") == true)
    #expect(facts["divergence"] == "none")
  }

  /// Where a build with memory accesses as points does not care for the race itself, the update is
  /// lost.
  @Test(arguments: ["lost-update", "lost-atomic"])
  func anUpdateIsLostBetweenTwoAccesses(name: String) async throws {
    let facts = try await ExploreTests.facts(
      of: "harness-explored-accesses", [name], options: "without=dataRace")
    #expect(facts["cause"] == "threw Lost()", "\(facts)")
    #expect(facts["diverged"] == "no")
    #expect(facts["again"] == "threw Lost()")
    #expect(facts["divergence"] == "none")
    let schedule = try Schedule(parsing: try #require(facts["schedule"]))
    #expect(schedule.forcedSwitches <= 2)
  }

  /// A loop that waits for an atomic to change gives way to whoever is to change it; what a thread
  /// does at its very end is under control as well, and so the same each time.
  @Test(arguments: ["lost-update-repaired", "atomic-spin", "late-end"])
  func whatIsCorrectDoesNotFail(name: String) async throws {
    let facts = try await ExploreTests.facts(
      of: "harness-explored-accesses", [name], reportsRaces: true)
    #expect(facts["failures"] == "0", "\(facts)")
    #expect(facts["deterministic"] == "yes")
  }

  /// Two threads change a variable of their own and one of both: with steps at each access to
  /// memory there are thousands of schedules, of which one for each class is run.
  @Test(arguments: [("apart", "[12, 22]"), ("apart-guarded", "[22]")])
  func anExhaustiveSearchRunsOneScheduleOfEachClass(name: String, values: String) async throws {
    let facts = try await ExploreTests.facts(
      of: "harness-explored-accesses", [name], options: "without=dataRace")
    #expect(facts["seen"] == values, "\(facts)")
    #expect(facts["complete"] == "true")
    #expect(facts["classes"] == facts["schedules"])
    let schedules = try #require(Int(facts["schedules"] ?? ""))
    #expect((2...100).contains(schedules))
  }
}
