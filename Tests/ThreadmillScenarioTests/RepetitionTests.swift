import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillTestSupport

/// Tests that repeat themselves, in the fixtures.
@Suite(
  .serialized,
  .disabled(if: isThreadSanitized, "the fixtures are built without the sanitizer either way"))
struct RepetitionTests {
  private static let given = Seed(rawValue: 7)

  private func repeated(_ fixture: Fixture, options: String = "") async throws -> Fixture.Run {
    try await fixture.test(
      ["--filter", "Repeated"], options: options, environment: ["TOOL_SHED_REPEATS": "1"])
  }

  @Test func aTraitStopsAtWhatItFinds() async throws {
    let run = try await repeated(.swiftTesting)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    #expect(
      run.days == [
        "isFoundOnTheThirdDay": 3, "isFoundWithAnySeed": 2, "isFoundAtOnce": 1,
        "isFoundWithoutJitter": 4, "staysSilent": 9, "staysSilentWithoutJitter": 9,
        "staysSilentOnce": 1, "expectsInVain": 4, "expectsElsewhere": 5, "requiresInVain": 4,
        "throwsOnTheSecondDay": 2, "knowsItsIssues": 9, "hammer": 9, "saw": 9,
      ])
    #expect(
      Set(run.failures.keys) == [
        "isFoundOnTheThirdDay", "isFoundWithAnySeed", "isFoundAtOnce", "isFoundWithoutJitter",
        "expectsInVain", "expectsElsewhere", "requiresInVain", "throwsOnTheSecondDay", "unknown",
      ])
    check(run, "isFoundOnTheThirdDay", number: 3, seed: .derived(from: Self.given, 3))
    check(run, "isFoundAtOnce", number: 1, of: 1, seed: Self.given)
    check(run, "expectsInVain", number: 4, seed: .derived(from: Self.given, 4))
    check(run, "expectsElsewhere", number: 5, seed: .derived(from: Self.given, 5))
    check(run, "requiresInVain", number: 4, seed: .derived(from: Self.given, 4))
    check(run, "throwsOnTheSecondDay", number: 2, seed: .derived(from: Self.given, 2))
    let calm = run.failures["isFoundWithoutJitter", default: ""]
    #expect(calm.contains("repetition 4 of 9\n"))
    #expect(!calm.contains("seed"))
    checkReport(of: run)
  }

  /// One mistake in one function is one finding, of all the tests that made it.
  private func checkReport(of run: Fixture.Run) {
    let found = run.report?.accusations ?? []
    #expect(found.count == 1)
    #expect(
      found.first?.tests
        == [
          "isFoundAtOnce", "isFoundOnTheThirdDay", "isFoundWithAnySeed", "isFoundWithoutJitter",
        ].map { "SwiftTestingUserTests.Repeated/\($0)()" })
    #expect(found.first?.facts?.first?.text.hasPrefix("repetition ") == true)
  }

  @Test func aTraitWithoutASeedTakesTheOption() async throws {
    let run = try await repeated(.swiftTesting, options: "seed=9")
    check(
      run, "isFoundWithAnySeed", policy: "light", number: 2,
      seed: .derived(from: Seed(rawValue: 9), 2))
    check(run, "isFoundOnTheThirdDay", number: 3, seed: .derived(from: Self.given, 3))
  }

  @Test func untilTheEndAllAreCounted() async throws {
    let run = try await repeated(.swiftTesting, options: "until=end")
    #expect(run.days.values.filter { $0 == 9 }.count == run.days.count - 2, "\(run.days)")
    // Every one is said once, with the first of its repetitions.
    check(run, "isFoundOnTheThirdDay", number: 3, seed: .derived(from: Self.given, 3))
    check(run, "expectsInVain", number: 4, seed: .derived(from: Self.given, 4))
    check(run, "throwsOnTheSecondDay", number: 2, seed: .derived(from: Self.given, 2))
    let said = run.child.standardOutput + run.child.standardError
    // Wilson's intervals for 3, 2 and 4 of 9.
    for words in [
      "3 of 9  12.1% to 64.6%  first: repetition 3, heavy, seed", "2 of 9  6.3% to 54.7%  first",
      "4 of 9  18.9% to 73.3%  first: repetition 2, heavy, seed",
    ] {
      #expect(said.contains(words), "\(words)")
    }
  }

  @Test func theHelperOfXCTestStopsAtWhatItFinds() async throws {
    let run = try await repeated(.xctest)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    #expect(
      run.days == [
        "isFound": 3, "staysSilent": 9, "staysSilentWithoutJitter": 9, "asserts": 4, "throws": 2,
      ])
    #expect(
      Set(run.failures.keys) == [
        "testIsFoundOnTheThirdDay", "testAssertsInVain", "testThrowsOnTheSecondDay",
      ])
    let number = [
      "testIsFoundOnTheThirdDay": 3, "testAssertsInVain": 4, "testThrowsOnTheSecondDay": 2,
    ]
    for (test, number) in number {
      check(run, test, number: number, seed: .derived(from: Self.given, number))
    }
  }

  /// What a failure says of the repetition that it is from.
  private func check(
    _ run: Fixture.Run, _ test: String, policy: String = "heavy", number: Int, of count: Int = 9,
    seed: Seed
  ) {
    let again = "jittered(.\(policy), repeating: 1, seed: \(seed))"
    let text = run.failures[test, default: ""]
    let words = text.ranges(of: "repetition \(number) of \(count); ")
    #expect(words.count == 1, "\(test): \(text)")
    #expect(text.contains(again), "\(test): \(text)")
  }
}

extension Fixture.Run {
  /// How often each test has begun a day.
  fileprivate var days: [String: Int] {
    var days: [String: Int] = [:]
    for match in child.standardOutput.matches(of: #/(\w+): day (\d+)/#) {
      let (name, day) = (String(match.output.1), Int(match.output.2) ?? 0)
      days[name] = max(days[name] ?? 0, day)
    }
    return days
  }
}
