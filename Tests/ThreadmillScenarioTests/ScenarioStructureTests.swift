import Foundation
import Testing
import ThreadmillCommand
import ThreadmillScenarios
import ThreadmillTestSupport

/// What every scenario must have before it may say anything about a checker.
@Suite struct ScenarioStructureTests {
  private static let rows = HazardCatalogue.rows + HazardCatalogue.additions

  @Test func theCatalogueHasEveryRow() {
    let additions = Set(HazardCatalogue.additions.map(\.id))
    let ids = Scenario.all.map(\.id)
    let ofTheCatalogue = ids.filter { !additions.contains($0) }
    #expect(additions.isSubset(of: ids))
    #expect(Set(ids).count == ids.count)
    #expect(ofTheCatalogue == HazardCatalogue.rows.map(\.id))
  }

  @Test(arguments: Scenario.all) func aScenarioIsSound(_ scenario: Scenario) {
    let row = Self.rows.first { $0.id == scenario.id }
    #expect(scenario.problems(proofs: row?.proofs) == [])
  }

  /// The exploration of `once-and-lock` names nobody: its schedule cannot be run again to be told,
  /// because a process makes a `static let` once.
  @Test(arguments: Scenario.all) func itsCulpritsAreNamed(_ scenario: Scenario) {
    let problems = scenario.id == "once-and-lock" ? ["hang names no culprits"] : []
    #expect(scenario.culpritProblems(scenario.accusations) == problems)
  }

  @Test func whatThreadSanitizerHasToProveIsMeasured() {
    let wanted = Self.rows.filter { !$0.proofs.isDisjoint(with: [.tsan, .jitter]) }.map(\.id)
    #expect(Set(wanted).isSubset(of: RatePlan.probabilistic.map(\.id)))
    #expect(!wanted.isEmpty)
  }

  @Test(arguments: Scenario.all) func aScenarioTellsItsStory(_ scenario: Scenario) throws {
    #expect(scenario.summary.hasSuffix("."))
    #expect(URL(filePath: scenario.file).lastPathComponent == Self.fileName(of: scenario))
    let story = try scenario.story()
    #expect(story.title.hasSuffix("."))
    #expect(story.parts.map(\.heading) == Story.headings(of: scenario.fault))
    #expect(Set(story.programs.keys) == Set(scenario.variants))
    #expect(story.programs.values.allSatisfy { !$0.body.isEmpty })
    #expect((story.programs[.flawed] == story.programs[.repaired]) == (scenario.fault == .silent))
  }

  @Test(arguments: Scenario.Fault.allCases) func noFileIsForgotten(_ fault: Scenario.Fault) throws {
    let folder = Self.folder.appending(path: fault.rawValue).path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let registered = Scenario.all.filter { $0.fault == fault }.map(Self.fileName(of:))
    #expect(Set(files) == Set(registered))
  }

  private static let folder = Checkout.root.appending(path: "Scenarios")

  private static func fileName(of scenario: Scenario) -> String {
    scenario.id.split(separator: "-").map(\.capitalized).joined() + ".swift"
  }
}

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { id }
}
