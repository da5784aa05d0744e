import Testing
import ThreadmillModel
import ThreadmillTestSupport

/// Explorations in which atomic loads read any store that C++20 allows.
@Suite(.enabled(if: isThreadSanitized, "only in such a build are atomic accesses seen"))
struct WeakMemoryTests {
  /// Algorithms whose orders are too weak in their flawed form, and as weak as may be in the other.
  static let cases = [
    "message", "dekker", "peterson", "pointer", "ring", "sequence", "count", "spin-lock", "deque",
    "double-checked", "in-c",
  ]

  private func facts(
    _ arguments: [String], memory: String = "weak"
  ) async throws -> [String: String] {
    try await ExploreTests.facts(
      of: "harness-weak-memory", arguments, options: "memory=\(memory)", reportsRaces: true)
  }

  /// Within 1,000 schedules of each seed; the schedule is followed in another process, too, where
  /// nothing else asks for weak memory.
  @Test(arguments: cases) func aWeakOrderIsFound(name: String) async throws {
    let found = try await facts([name, "flawed", "5"])
    #expect(found["failures"] == "5", "\(found)")
    #expect(found["replayed"] == "5")
    #expect(found["nondeterminism"] == nil)
    let text = try #require(found["schedule"])
    let schedule = try Schedule(parsing: text)
    #expect((1...3).contains(schedule.picks.count), "\(text)")
    let again = try await facts([name, "flawed", text], memory: "strong")
    #expect(again["cause"] == found["cause"])
    #expect(again["divergence"] == "none")
  }

  @Test(arguments: cases) func theRightOrderIsSilent(name: String) async throws {
    let found = try await facts([name, "repaired", "2"])
    #expect(found["failures"] == "0", "\(found)")
    #expect(found["schedules"] == "2000")
    #expect(found["nondeterminism"] == nil)
  }

  /// What the machine does is always right here.
  @Test(arguments: cases) func strongMemoryHidesIt(name: String) async throws {
    let found = try await facts([name, "flawed", "1"], memory: "strong")
    #expect(found["failures"] == "0", "\(found)")
  }

  @Test func theTableSaysWhatWasRead() async throws {
    let run = try await Watched(
      program: "harness-weak-memory", arguments: ["message", "flawed"], options: "memory=weak",
      environment: ["TSAN_OPTIONS": "atexit_sleep_ms=0"]
    ).run()
    let output = run.child.standardOutput
    let words = #/: reads 0, although 42 was stored at step \d+ by thread \d \(relaxed load, /#
    #expect(output.contains(words), "\(output)")
  }

  @Test func aProgramWithoutPointsIsTold() async throws {
    let run = try await Watched(
      program: "harness-explored", arguments: ["opposite-locks"], options: "memory=weak"
    ).run()
    let lines = run.child.standardError.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("threadmill: memory=weak has no effect") } == 1)
  }
}
