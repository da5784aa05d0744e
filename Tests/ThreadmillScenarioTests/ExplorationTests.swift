import Foundation
import Testing
import ThreadmillChildren
import ThreadmillCommand
import ThreadmillModel
import ThreadmillScenarios
import ThreadmillTestSupport

/// The scenarios under controlled scheduling, with one seed: `scripts/campaigns/explored` has more.
///
/// The schedules depend on the program and on the seed alone, so that nothing here is up to chance.
@Suite struct ExplorationTests {
  /// Races need Thread Sanitizer.
  private static let trials = Trial.all(in: [.explore]).filter {
    $0.build == .plain || isThreadSanitized
  }

  static let flaws = trials.filter { !($0.verdict?.required.isEmpty ?? true) }
  static let correct = trials.filter(\.mustStaySilent)
  /// Scenarios that ask for the number of processors, for which the library reads a file, and the
  /// functions that ask.
  private static let partlyControlled = [
    "starved-pool": "Importer.init()", "lock-across-await": "sell(refreshing:)",
    "mutex-across-await": "travel(refreshing:)",
  ]

  private static func explore(
    _ trial: Trial, following schedule: String? = nil, schedules: Int? = nil
  ) async throws -> Sighting {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let host = try Host.program(for: trial)
    let file = directory.file("report.json")
    return try await Slots.children.occupy {
      try await trial.explore(
        in: host, seed: Seed(rawValue: 1), following: schedule, schedules: schedules, report: file)
    }
  }

  /// A failing schedule is found, is simple, and fails in another process as well.
  @Test(arguments: flaws) func theFlawIsFoundAndComesBack(_ trial: Trial) async throws {
    let seen = try await Self.explore(trial)
    #expect(trial.problem(seen, isSanitized: isThreadSanitized) == nil, "\(seen.complaint)")
    // A warning has no schedule.
    guard let schedule = seen.schedule else { return }
    #expect((seen.exploration?.forcedSwitches ?? 0) <= 2)
    let again = try await Self.explore(trial, following: schedule)
    let kinds = [seen, again].map { $0.exploration?.kinds ?? $0.kinds }
    #expect(kinds[0] == kinds[1], "\(again.complaint)")
    #expect(again.ending == seen.ending)
    #expect(again.exploration?.divergence == nil)
    #expect(again.exploration?.schedules == seen.exploration.map { _ in 1 })
  }

  /// A flaw that kills the process leaves its schedule behind.
  @Test(arguments: flaws.filter { $0.expectation.outcome == .traps })
  func theEndOfTheProcessHasASchedule(_ trial: Trial) async throws {
    let seen = try await Self.explore(trial)
    let isDead = seen.exploration == nil
    #expect(isDead == ["unowned-setter", "cancelled-leave"].contains(trial.scenario.id))
    #expect(seen.schedule != nil)
  }

  @Test(arguments: correct) func whatIsCorrectSurvives(_ trial: Trial) async throws {
    let most = isThreadSanitized ? 50 : 100
    let seen = try await Self.explore(trial, schedules: most)
    #expect(trial.problem(seen, isSanitized: isThreadSanitized) == nil, "\(seen.complaint)")
    let said = try #require(seen.exploration)
    let asking = Self.partlyControlled[trial.scenario.id]
    #expect((said.uncontrolled > 0) == (asking != nil))
    #expect(said.uncontrolledPlaces.isEmpty == (asking == nil))
    for place in said.uncontrolledPlaces {
      #expect(place.hasPrefix("read, ") && place.contains(", at \(asking ?? "") ("))
    }
    #expect(said.schedules == most || said.isComplete)
  }

  /// An answer that lacks the line of kinds, because the host fell silent, is refused.
  @Test func halfAnAnswerIsNone() {
    let whole = "schedules 3\nkinds hang\ncomplete false\nforced 1\nschedule x\n"
    let said = ExplorationSaid(whole)
    #expect(said?.kinds == ["hang"])
    #expect(said?.schedules == 3)
    #expect(said?.forcedSwitches == 1)
    #expect(ExplorationSaid("schedules 3\n") == nil)
    #expect(ExplorationSaid("schedules 3\nkinds \n")?.kinds == [])
  }

  @Test(arguments: [
    ["explore", "gate-lock"], ["explore", "gate-lock", "flawed", "seeds=1"],
    ["explore", "gate-lock", "flawed", "strategy=luck"],
    ["explore", "gate-lock", "flawed", "schedules=0"],
    ["explore", "gate-lock", "flawed", "schedule=nonsense"],
  ])
  func refusesWhatItCannotExplore(arguments: [String]) async throws {
    let result = try await Host.run(arguments)
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains(try #require(arguments.last)))
  }
}
