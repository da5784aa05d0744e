import Foundation
import ThreadmillChildren

/// Trials of the small programs in C and Swift, each in a process of its own.
struct Trials: Sendable {
  /// So many schedules a trial has at most, and so many seconds of processor time, so that other
  /// programs on the machine do not count.
  static let (mostSchedules, mostSeconds) = (10_000, 60)

  /// Runs its arguments with that limit.
  private static let limited = "ulimit -S -t \(mostSeconds); exec \"$0\" \"$@\""

  /// `threadmill-bench-ports`.
  let executable: String
  let seeds: Int

  /// The process did not do what it was asked for.
  struct Fault: Error { let description: String }

  /// What came of the trials of one program.
  struct Outcome: Encodable {
    let name: String
    let trials: Int
    let found: Int
    /// Of the schedules until something was found; `nil` if most trials found nothing.
    let median: Double?
    let published: Published?

    /// - Parameter hits: one for each trial; `nil` for one that found nothing.
    init(_ name: String, _ hits: [Int?]) {
      let sorted = hits.map { $0.map(Double.init) ?? .infinity }.sorted()
      let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
      (self.name, trials, found) = (name, hits.count, hits.count { $0 != nil })
      median = middle == .infinity ? nil : middle
      published = Published.all[name]
    }

    private enum CodingKeys: CodingKey { case name, trials, found, median, published }

    /// What is not known is `null`, and `published` has no members if nothing was.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(trials, forKey: .trials)
      try container.encode(found, forKey: .found)
      try container.encode(median, forKey: .median)
      try container.encode(published?.figures ?? [:], forKey: .published)
    }
  }

  /// What came of all programs.
  struct Summary: Encodable {
    let programs: Int
    /// The mean share of trials that found something.
    let success: Double
    /// Of the medians; one that is not known counts as one more than there may be schedules.
    let geomean: Double

    init(_ outcomes: [Outcome]) {
      let count = Double(max(1, outcomes.count))
      programs = outcomes.count
      success = outcomes.reduce(0) { $0 + Double($1.found) / Double($1.trials) } / count
      let most = Double(Trials.mostSchedules + 1)
      geomean = exp(outcomes.reduce(0) { $0 + log($1.median ?? most) } / count)
    }
  }

  var programs: [String] {
    get async throws {
      try await run(["list"]).split(separator: "\n").map(String.init)
    }
  }

  func outcome(_ program: String, _ strategy: String, in slots: Slots) async throws -> Outcome {
    let hits = try await withThrowingTaskGroup(of: Int?.self) { group in
      for seed in 1...seeds {
        group.addTask { try await hit(program, strategy, seed, slots) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return Outcome(program, hits)
  }

  /// The schedule that found the mistake; `nil` if none did.
  private func hit(
    _ program: String, _ strategy: String, _ seed: Int, _ slots: Slots
  ) async throws -> Int? {
    let arguments = [program, strategy, "\(seed)", "\(Self.mostSchedules)"]
    let said = try await slots.occupy { try await run(arguments) }
    return Int(said.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// What the process says; nothing if it had no time for that.
  private func run(_ arguments: [String]) async throws -> String {
    let child = ChildProcess(
      executable: "/bin/sh",
      arguments: ["-c", Self.limited, executable] + arguments,
      environment: [
        "TSAN_OPTIONS": "report_bugs=0 exitcode=0 atexit_sleep_ms=0",
        "THREADMILL_OPTIONS": "symbols=false", "SWIFT_BACKTRACE": "enable=no",
        "PATH": "/usr/bin:/bin",
      ],
      limit: Double(10 * Self.mostSeconds))
    let result = try await child.run()
    switch result.outcome {
    case .exited(0): return result.standardOutput
    case .timedOut, .signalled(SIGXCPU): return ""
    default:
      throw Fault(
        description:
          "\(arguments.joined(separator: " ")): \(result.outcome) \(result.standardError)")
    }
  }
}
