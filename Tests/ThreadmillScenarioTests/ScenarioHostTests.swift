import Foundation
import Testing
import ThreadmillScenarios

/// The host's own manners: what it lists, and what it refuses.
@Suite struct ScenarioHostTests {
  private struct Listing: Decodable {
    struct Entry: Decodable {
      var id: String
      var fault: String
      var summary: String
      var expectations: [Row]
    }

    struct Row: Decodable {
      var variant: String
      var mode: String
      var required: Set<String>
      var allowed: Set<String>
    }

    var version: Int
    var scenarios: [Entry]
  }

  @Test func listsEveryScenarioAsJSON() async throws {
    let result = try await Host.run(["list", "--json"])
    #expect(result.outcome == .exited(0))
    let listing = try JSONDecoder().decode(Listing.self, from: Data(result.standardOutput.utf8))
    #expect(listing.version == 1)
    #expect(listing.scenarios.map(\.id) == Scenario.all.map(\.id))
    let shed = try #require(listing.scenarios.first { $0.id == "hammer-and-saw" })
    #expect(shed.fault == "Deadlocks")
    #expect(shed.expectations.map(\.variant) == ["flawed", "harmful", "repaired"])
    #expect(shed.expectations.map(\.mode) == ["observe", "observe", "observe"])
    #expect(shed.expectations.map(\.required) == [["lockOrderCycle"], ["deadlock"], []])
    #expect(shed.expectations.map(\.allowed) == [[], ["lockOrderCycle"], []])
  }

  @Test(
    arguments: [
      (["run", "hammer-and-sickle", "flawed"], "hammer-and-sickle"),
      (["run", "relock", "harmful"], "harmful"),
      (["run", "relock", "fixed"], "fixed"),
      (["walk"], "walk"),
      ([], "usage"),
    ])
  func refusesWhatItDoesNotKnow(arguments: [String], named: String) async throws {
    let result = try await Host.run(arguments)
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains(named))
  }
}
