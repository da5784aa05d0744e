import Foundation
import Testing
import ThreadmillChildren
import ThreadmillModel
import ThreadmillPlanning
import ThreadmillTestSupport

/// What jitter does to a program: what was drawn, no more than was allowed, nothing that a correct
/// program could not stand.
@Suite struct JitterTests {
  static let policies = JitterPolicy.allCases.filter { $0 != .off }

  private static func run(_ what: String, _ options: String) async throws -> Watched.Run {
    let run = try await Watched(program: "harness-shaken", arguments: [what], options: options)
      .run()
    #expect(run.child.outcome == .exited(0), "\(what) with \(options)")
    return run
  }

  private static func facts(_ run: Watched.Run) -> [String: Int] {
    let pairs = run.child.standardOutput.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The whole sequences are compared; each has one line for each point.
  @Test(arguments: policies)
  func oneSeedAndOneThreadMakeTheSameDecisions(policy: JitterPolicy) async throws {
    let options = "jitter=\(policy.rawValue) jitterbudget=5 seed="
    let first = try await Self.run("sequence", options + "42").child.standardOutput
    let second = try await Self.run("sequence", options + "42").child.standardOutput
    let other = try await Self.run("sequence", options + "43").child.standardOutput
    #expect(first == second)
    #expect(first != other)
    #expect(first.split(separator: "\n").count >= 800)
  }

  /// A share of the time, so that a slow machine changes nothing. The first 20 ms of 2 s are free.
  @Test(arguments: [20, 75])
  func nobodyIsDelayedForMoreThanTheBudget(percent: Int) async throws {
    let run = try await Self.run("busy", "jitter=heavy seed=1 jitterbudget=\(percent)")
    let all = try #require(Self.facts(run)["milliseconds"])
    let delayed = try #require(run.report?.accounting["jitterMilliseconds"])
    #expect(Double(delayed) <= Double(all * percent) / 100 * 1.1)
    #expect(Double(delayed) >= Double(all * percent) / 100 * 0.5)
    #expect(try #require(run.report?.accounting["jitterOverBudget"]) > 0)
  }

  /// Each of 300 waits ends for no reason with a probability of 0.1: none does in one of 10¹³ runs,
  /// and the seed is fixed.
  @Test func conditionsWakeForNoReasonAndNeverTimeOutEarly() async throws {
    let facts = Self.facts(try await Self.run("conditions", "jitter=heavy seed=3"))
    #expect(try #require(facts["for-no-reason"]) > 0)
    #expect(try #require(facts["in-time"]) > 0)
    #expect(facts["too-early"] == 0)
    #expect(facts["other"] == 0)
    #expect(facts["unlocked"] == 0)
  }

  @Test func timersComeAsLateAsDrawn() async throws {
    let facts = Self.facts(try await Self.run("timers", "jitter=heavy seed=4"))
    #expect(try #require(facts["late"]) > 0)
    #expect(facts["too-early"] == 0)
  }

  /// A block that is alone is held for 3 ms and delayed for 1.6 ms at most. Its fellow comes after
  /// 10 ms. Both go on at the same time, at least 1 ms after the fellow was submitted. Wrong where
  /// a machine stops the submitter for 100 ms in three rounds of four.
  @Test func aFirstBlockIsHeldUntilAnotherHasBegun() async throws {
    let facts = Self.facts(
      try await Self.run("first-blocks", "jitter=heavy seed=9 jitterbudget=95"))
    #expect(try #require(facts["held"]) >= 2)
    #expect(try #require(facts["least"]) >= 1_000_000)
  }

  /// The plan of seed 6 holds threads: the first one of a round is held for its fellow. That of
  /// seed 1 does not: each of a round's ten points has one delay at most. Wrong where a machine
  /// stops the submitter for 100 ms in three rounds of four.
  @Test func firstThreadsAreHeldIfThePlanSaysSo() async throws {
    func run(seed: UInt64, holds: Bool) async throws -> Watched.Run {
      let plan = JitterPlan(.heavy, seed: Seed(rawValue: seed), budget: 95)
      #expect(plan?.holdsThreads == holds)
      return try await Self.run("first-threads", "jitter=heavy seed=\(seed) jitterbudget=95")
    }
    let together = try await run(seed: 6, holds: true)
    #expect(try #require(Self.facts(together)["held"]) >= 2)
    let freely = try await run(seed: 1, holds: false)
    #expect(try #require(freely.report?.accounting["jitterDelays"]) <= 40)
  }

  /// The delays of a thread are drawn from its path. If it had that of its starter, both would be
  /// delayed alike.
  @Test func eachThreadHasAPathOfItsOwn() async throws {
    #expect(Self.facts(try await Self.run("paths", "jitter=heavy seed=1"))["paths"] == 7)
  }

  @Test(arguments: policies)
  func aSemaphoreLetsNoMoreIn(policy: JitterPolicy) async throws {
    let facts = Self.facts(
      try await Self.run("semaphore", "jitter=\(policy.rawValue) seed=5"))
    #expect((1...2).contains(try #require(facts["most"])))
  }

  @Test func withoutJitterNothingIsCounted() async throws {
    let run = try await Self.run("semaphore", "")
    #expect(run.report?.accounting.keys.contains { $0.hasPrefix("jitter") } == false)
    #expect(run.report?.run.jitter == nil)
    #expect(run.report?.run.seed == nil)
  }

  /// The seed that nobody chose is told, with how to choose it.
  @Test func theSeedIsToldWithAFinding() async throws {
    let run = try await Watched.scenario("opposite-transfer", "flawed", options: "jitter=light")
      .run()
    let seed = try #require(run.report?.run.seed)
    #expect(run.report?.run.jitter == "light")
    let last = run.child.standardError.split(separator: "\n").last.map(String.init)
    #expect(last == "To repeat: THREADMILL_OPTIONS=\"jitter=light seed=\(seed)\"")
  }

  /// What is correct stays correct; whoever releases this runs many more.
  @Test(arguments: policies, ["quiet-counter", "lazy-init", "lost-wakeup"])
  func repairedScenariosStayRight(policy: JitterPolicy, id: String) async throws {
    let options = "jitter=\(policy.rawValue) seed=6"
    let run = try await Watched.scenario(id, "repaired", options: options).run()
    #expect(run.child.outcome == .exited(0), "\(id) with \(options)")
    #expect(run.report?.accusations.map(\.title) == [])
  }

  /// Where the sanitizer is told of accesses, and the linker hands them on: each `+=` reads and
  /// writes.
  @Test(arguments: ["", "jitter=light seed=8 jitterbudget=5"])
  func accessesArePoints(options: String) async throws {
    let run = try await Watched(
      program: "harness-accesses", arguments: [], options: options
    ).run()
    #expect(run.child.outcome == .exited(0))
    let facts = Self.facts(run)
    #expect(facts["sum"] == 500_500)
    let points = try #require(facts["memory"])
    #expect(isThreadSanitized && !options.isEmpty ? points >= 2_000 : points == 0)
  }

  /// What one run learns, the next one begins with.
  @Test(.enabled(if: hasSeveralProcessors, "two threads have to run at once"))
  func nearMissesAreKept() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("near.json")
    for _ in 0..<2 {
      _ = try await Self.run(
        "semaphore", "jitter=near-miss seed=7 nearmisses=\(file.path)")
    }
    let kept = try JSONDecoder().decode(NearMissFile.self, from: Data(contentsOf: file))
    #expect(kept.version == 1)
    #expect(!kept.nearMisses.isEmpty)
    #expect(kept.nearMisses.allSatisfy { (0...256).contains($0.weight) && $0.offset > 0 })
  }

  private struct NearMissFile: Decodable {
    struct Place: Decodable {
      var image: String
      var offset: UInt64
      var weight: Int
    }
    var version: Int
    var nearMisses: [Place]
  }
}
