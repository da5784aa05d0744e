import Testing
import ThreadmillTestSupport

/// Nestings of the same code are told some dozens of times, and then kept. A cycle with one that
/// was kept is found like any other.
@Suite struct HabitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The functions that take the two locks, and those that made them.
    var functions: [String]
    var makers: [String]

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "habit-of-two-classes", functions: ["go_down", "go_up"],
      makers: ["make_child", "make_parent"]),
    Case(
      name: "habit-of-many-more", functions: ["go_down", "go_up"],
      makers: ["make_child", "make_parent"]),
    Case(
      name: "habit-of-one-class", functions: ["go_back", "go_on"],
      makers: ["make_parent", "make_parent"]),
  ])
  func aCycleWithAKeptNestingIsFound(_ sample: Case) async throws {
    let run = try await Watched(program: "harness-plain-locks", arguments: [sample.name]).run()
    let findings = try #require(run.report).accusations
    try #require(findings.map(\.kind) == ["lockOrderCycle"])
    let finding = findings[0]
    #expect(finding.severity == "error")
    try #require(finding.objects.count == 2 && finding.participants.count == 2)
    let taken = finding.participants.compactMap { participant in
      participant.frames.compactMap(\.function).first { $0.hasPrefix("go_") }
    }
    #expect(taken.sorted() == sample.functions)
    let made = finding.objects.compactMap { object in
      object.created?.compactMap(\.function).first { $0.hasPrefix("make_") && $0 != "make_mutex" }
    }
    #expect(made.sorted() == sample.makers)
    #expect(Set(finding.participants.map(\.thread)).count == 2)
    // Each waits for what the other one has.
    for (one, other) in [(0, 1), (1, 0)] {
      #expect(
        finding.participants[one].holds.map(\.object) == [finding.participants[other].wants])
    }
  }

  @Test(arguments: [
    "habit-of-others", "habit-of-a-later-lock", "habit-of-one-thread", "habit-of-gone-memory",
  ])
  func noCycleIsMadeUp(_ name: String) async throws {
    let run = try await Watched(program: "harness-plain-locks", arguments: [name]).run()
    #expect(run.child.outcome == .exited(0))
    let report = try #require(run.report)
    #expect(report.findings.map(\.title) == [])
  }
}
