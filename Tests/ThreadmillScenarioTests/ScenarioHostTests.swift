import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// The host's own manners: what it refuses.
@Suite struct ScenarioHostTests {
  @Test(
    arguments: [
      (["run", "hammer-and-sickle", "flawed"], "hammer-and-sickle"),
      (["run", "relock", "harmful"], "harmful"),
      (["run", "relock", "fixed"], "fixed"),
      (["run", "gate-lock", "flawed", "0"], "0"),
      (["run", "gate-lock", "flawed", "often"], "often"),
      (["walk"], "walk"),
      ([], "usage"),
    ])
  func refusesWhatItDoesNotKnow(arguments: [String], named: String) async throws {
    let result = try await Host.run(arguments)
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains(named))
  }

  private struct Document: Decodable {
    struct Profile: Decodable { var classes: [Lock] }
    struct Lock: Decodable {
      var acquisitions: Int
      var created: [Frame]?
    }
    struct Frame: Decodable { var file: String? }
    var profile: Profile
  }

  /// As often as it is told to: each time takes the small locks 400 times.
  @Test(arguments: [1, 3]) func runsItAgainAndAgain(times: Int) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let child = try Host.program.child(
      "gate-lock", .flawed, times: times, options: "profile=true report=\(file.path)",
      reportsRaces: false)
    let result = try await Slots.children.occupy { try await child.run() }
    #expect(result.outcome == .exited(0))
    let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: file))
    let kitchens = document.profile.classes.filter { lock in
      lock.created?.contains { $0.file?.hasSuffix("/GateLock.swift") ?? false } ?? false
    }
    #expect(
      kitchens.map(\.acquisitions).filter { $0 >= 400 } == [400, 400, 400].map { $0 * times })
  }
}
