import Foundation
import Testing
import ThreadmillScenarios
import ThreadmillTestSupport

/// The pages about the hazards are what the scenarios say.
///
/// `THREADMILL_README=write` writes them, and fails on purpose.
@Suite struct HazardPageTests {
  @Test(arguments: Scenario.all) func aHazardHasItsPage(_ scenario: Scenario) throws {
    let page = try HazardPages.page(of: scenario)
    try check(HazardPages.document(of: scenario), page)
    #expect(page.contains("```diff") == (scenario.fault != .silent))
  }

  @Test func theIndexHasEveryHazard() throws {
    let index = try HazardPages.index(of: Scenario.all)
    try check(HazardPages.index, index)
    for scenario in Scenario.all {
      #expect(index.contains("\n| [\(scenario.id)](Pages/\(scenario.id).md) | "))
    }
  }

  /// A page whose scenario has gone has to be removed by hand.
  @Test func noPageIsLeftOver() throws {
    let folder = Checkout.root.appending(path: "Scenarios/Pages").path
    let pages = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    let described = DescribedType.all.map { "described-\($0.name).md" }
    #expect(pages.subtracting(Scenario.all.map { "\($0.id).md" } + described) == [])
  }

  @Test(arguments: Scenario.all) func linksLeadSomewhere(_ scenario: Scenario) throws {
    let page = try HazardPages.page(of: scenario)
    let home = Checkout.root.appending(path: HazardPages.document(of: scenario))
    for match in page.matches(of: #/\]\((\.\.[^)#]*)/#) {
      let target = home.deletingLastPathComponent().appending(path: String(match.1))
      #expect(FileManager.default.fileExists(atPath: target.standardizedFileURL.path))
    }
  }

  private func check(_ document: String, _ wanted: String) throws {
    let found = try GeneratedBlock.document(document, wanted: wanted)
    #expect(found == wanted, "\(document): \(GeneratedBlock.advice)")
  }
}
