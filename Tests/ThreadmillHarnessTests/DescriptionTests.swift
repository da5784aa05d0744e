import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Types that are described by their operations: the ten of the catalogue, each flawed and
/// repaired.
///
/// Scenarios and schedules depend on the seed and on the program alone: what is found once is found
/// each time.
@Suite struct DescriptionTests {
  /// The types, and how many calls the smallest scenario needs that shows the flaw.
  static let types = [
    ("counter", 3), ("stack", 3), ("queue", 3), ("cache", 2), ("semaphore", 2), ("once", 2),
    ("limiter", 2), ("bank", 2), ("channel", 2), ("observers", 3),
  ]

  private static func said(_ arguments: String...) async throws -> [String] {
    let run = try await Watched(program: "harness-described", arguments: arguments).run()
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    return run.child.standardOutput.split(separator: "\n").map(String.init)
  }

  /// With the default budget, by each of a few seeds; `scripts/campaigns/described` takes 100. The
  /// sanitizer makes a schedule five times slower.
  @Test(arguments: types)
  func aFlawIsFoundWithTheSmallestScenario(type: String, calls: Int) async throws {
    let seeds = isThreadSanitized ? 1 : 5
    let lines = try await Self.said("flawed", type, "\(seeds)")
    #expect(lines.count == seeds)
    for line in lines {
      let words = line.split(separator: " ")
      #expect(words.count > 4 && words[3] == "unexplained" && words[4] == "sure", "\(line)")
      let sizes = words[2].split(separator: "+").compactMap { Int($0) }
      #expect(sizes.count == 2 && sizes.reduce(0, +) == calls, "\(line)")
    }
  }

  @Test(arguments: types) func aCounterexampleCanBeRepeated(type: String, calls: Int) async throws {
    let runs = isThreadSanitized ? "20" : "100"
    #expect(try await Self.said("replays", type, runs) == ["same \(runs)"])
    // In other processes it is the same, too.
    let found = try await Self.said("replay", type)
    let text = try #require(found.first).replacing("replay ", with: "")
    for _ in 0..<3 { #expect(try await Self.said("replay", type, text) == found) }
  }

  /// 10,000 schedules of each twin, none of which differs from what one thread may see.
  @Test(
    .disabled(if: isThreadSanitized, "these are the schedules of the plain run, five times slower"),
    arguments: types)
  func aRepairedTypeHolds(type: String, calls: Int) async throws {
    // Of one operation without arguments there are only so many scenarios.
    let lines = try await Self.said("repaired", type, "100", type == "once" ? "3000" : "300")
    let facts = Dictionary(
      lines.map { $0.split(separator: " ") }.map { (String($0[0]), $0.dropFirst().joined()) },
      uniquingKeysWith: { first, _ in first })
    #expect(facts["error"] == nil, "\(lines)")
    #expect(try #require(facts["schedules"].flatMap { Int($0) }) >= 10_000)
    #expect(facts["uncontrolled"] == "0")
  }

  @Test func theReportShowsScenarioReasonScheduleAndReplay() async throws {
    let text = try await Self.said("shows", "stack").joined(separator: "\n")
    let title =
      "not linearizable: no order of these calls, one after the other, explains what they "
    #expect(text.hasPrefix(title + "returned\n"))
    let table = """
        thread 1    thread 2
        push(1)
                    pop() begins
        pop() → 1
                    pop() → 1
      """
    #expect(text.contains("returned\n\(table)\n"))
    #expect(text.contains("  After push(1), pop() → 1, pop() of thread 2 → nil, and not → 1\n"))
    #expect(text.contains("Stacks.swift:"))
    #expect(text.contains("  To repeat: try linearizable(…, replaying: \"0.0 1.0|1.0/tm1:"))
  }

  /// 1,000 histories of three threads with three calls each; processor time of one run, in which
  /// both are measured in turns.
  @Test(
    .disabled(
      if: isThreadSanitized, "the sanitizer makes the check slower, and the exploration less so"))
  func checkingTakesATenthOfExploring() async throws {
    let lines = try await Self.said("cost", "1000").map { $0.split(separator: " ") }
    #expect(lines.map { $0[0] } == ["stack", "cache", "bank"])
    for line in lines {
      let (histories, share) = (Int(line[2]), Double(line[6]))
      #expect(try #require(histories) >= 1_000)
      #expect(try #require(share) < 0.1, "\(line)")
    }
  }

  @Test func descriptionsAreWrittenAsPeopleLike() async throws {
    #expect(try await Self.said("other", "spellings") == ["spellings fine"])
  }

  /// Results are told apart by `==`, or part by part; calls without a result show nothing.
  @Test func resultsOfAnyTypeAreCompared() async throws {
    let lines = try await Self.said("other", "results")
    #expect(lines.map { $0.hasSuffix("nothing") } == [false, false, false, false, false, true])
    #expect(
      lines.prefix(3) == [
        "int → 0 → 0", "plain → Plain(number: 0) → Plain(number: 0)",
        "pair → (0, \"x\") → (0, \"x\")",
      ])
  }

  @Test func aMistakeInTheDescriptionIsNamed() async throws {
    let lines = try await Self.said("other", "mistakes")
    #expect(
      lines.prefix(5) == [
        "none the description has no operations; add an Operation(…) { … }",
        "empty the arguments of \"put\" are an empty sequence; give it at least one",
        "many 81 calls in a scenario; threads × calls may be 64 at most",
        "replay 'nonsense' is no counter-example of this description; copy the whole text after "
          + "'replaying:'",
        "unmade a scenario fails: threw Unmade()",
      ])
  }

  /// A register of which threads may read old versions.
  @Test func aWeakerDemandHoldsWhereAStrongerOneDoesNot() async throws {
    #expect(
      try await Self.said("other", "weaker") == [
        "linearizable unexplained", "sequential holds", "quiescent unexplained",
      ])
  }

  /// A call that waits for a lock makes no progress; nor does one that spins until a thread that
  /// stands still gives the lock back.
  @Test func progressIsDemandedOfWhatClaimsIt() async throws {
    // Which of two equal threads it is depends on the seed.
    let lines = try await Self.said("other", "progress").map {
      $0.replacing(#/thread [12]/#, with: "one thread")
    }
    #expect(
      lines == [
        "locked not obstruction-free: add() of one thread waits for another one again true",
        "spinning not obstruction-free: add() of one thread goes on without an end again true",
        "free obstructionFree holds",
        "locked not lock-free: add() of one thread waits for another one again true",
        "spinning not lock-free: add() of one thread goes on without an end again true",
        "free lockFree holds",
      ])
  }

  /// A letter that is lost by whoever is cancelled in the midst of taking it. The sanitizer makes a
  /// schedule five times slower: 100 scenarios take it a minute of processor time.
  @Test func cancelledCallsDoAllOrNothing() async throws {
    #expect(
      try await Self.said("other", "cancelled", isThreadSanitized ? "30" : "100") == [
        "loses false holds", "loses true unexplained",
      ])
  }

  @Test func callsWithOtherArgumentsAreCheckedByThemselves() async throws {
    #expect(try await Self.said("other", "independent") == ["independent 40"])
  }
}
