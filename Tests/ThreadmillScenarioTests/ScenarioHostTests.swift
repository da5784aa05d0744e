import Testing

/// The host's own manners: what it refuses.
@Suite struct ScenarioHostTests {
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
