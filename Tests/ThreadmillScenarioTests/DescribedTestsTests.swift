import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Tests of both frameworks that say what is right: by a trait, by an assertion, and by outcomes.
///
/// Both fixtures have the same types, and the same seed leads to the same schedules.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct DescribedTestsTests {
  private static let asked = ["TOOL_SHED_EXPLORES": "1"]

  /// What a test says of a counter-example.
  private struct Counterexample: Equatable {
    var title: String
    /// The table of calls, a row in each line, and the orders that explain nothing.
    var story: [String]
    var replay: String

    init?(in text: String) {
      let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let title = lines.firstIndex(where: { $0.contains("Threadmill: not ") }),
        let end = lines.firstIndex(where: { $0.hasPrefix("The schedule, ") }),
        let replay = text.firstMatch(of: #/replaying: "([^"]+)"/#)
      else { return nil }
      self.title = lines[title].replacing(#/^.*Threadmill: /#, with: "")
      story = lines[(title + 1)..<end].map { $0.replacing(#/ {2,}/#, with: " | ") }
      self.replay = String(replay.1)
    }
  }

  /// The smallest scenario: both take the nail that was added once.
  private func expect(_ found: Counterexample) {
    #expect(
      found.title == "not linearizable: no order of these calls, one after the other, explains "
        + "what they returned")
    #expect(
      found.story.prefix(5) == [
        "thread 1 | thread 2", "add(1)", "take() begins", "take() → 1", "take() → 1",
      ])
    // Which of both began first depends on the seed.
    #expect(
      Set(found.story.dropFirst(5)) == [
        "After add(1), take() → 1, take() of thread 1 → nil, and not → 1",
        "After add(1), take() → 1, take() of thread 2 → nil, and not → 1",
      ])
    #expect(found.replay.hasPrefix("0.0 1.0|1.0/tm1:"))
  }

  /// The tests that fail, with what they say; `replay` is run again where it is one.
  private func failures(
    _ fixture: Fixture, _ tests: String, replay: String? = nil
  ) async throws -> [String: String] {
    var environment = Self.asked
    environment["TOOL_SHED_REPLAY"] = replay
    let run = try await fixture.test(["--filter", tests], environment: environment)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    return run.failures
  }

  private func aFlawIsFoundAndRepeated(
    _ fixture: Fixture, _ tests: String, _ flawed: String
  ) async throws {
    let first = try await failures(fixture, tests)
    let found = try #require(Counterexample(in: first[flawed] ?? ""), "\(first)")
    expect(found)
    let again = try await failures(fixture, tests, replay: found.replay)
    #expect(Counterexample(in: again[flawed] ?? "") == found, "\(again)")
  }

  @Test func theTraitFailsATestWithTheCounterexample() async throws {
    try await aFlawIsFoundAndRepeated(
      .swiftTesting, "SwiftTestingUserTests.Described/takes", "takesInSteps")
    let all = try await failures(.swiftTesting, "SwiftTestingUserTests.Described")
    #expect(Set(all.keys) == ["takesInSteps", "hasOutcomes"])
    #expect(all["hasOutcomes"]?.contains("forbidden outcome: 2") == true)
  }

  @Test func theAssertionFailsATestWithTheCounterexample() async throws {
    try await aFlawIsFoundAndRepeated(
      .xctest, "XCTestUserTests.DescribedTests/testTakes", "testTakesInSteps")
    let all = try await failures(.xctest, "XCTestUserTests.DescribedTests")
    #expect(Set(all.keys) == ["testTakesInSteps", "testHasOutcomes"])
    #expect(all["testHasOutcomes"]?.contains("forbidden outcome: 2") == true)
  }
}
