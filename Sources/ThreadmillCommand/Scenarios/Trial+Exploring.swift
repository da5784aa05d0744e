import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillScenarios

/// What the host says of an exploration.
package struct ExplorationSaid: Hashable, Sendable {
  /// What the first schedule that went wrong came to; empty where none did.
  package var kinds: Set<String>
  package var schedules: Int
  /// Whether there is no other schedule.
  package var isComplete: Bool
  package var uncontrolled: Int
  /// The kinds of these operations, how often, and where.
  package var uncontrolledPlaces: [String]
  /// The schedule that went wrong, and how many switches in it are forced.
  package var schedule: String?
  package var forcedSwitches: Int?
  /// Where the program did something else when it followed a schedule.
  package var divergence: String?

  /// `nil` where that is not the whole of it.
  package init?(_ text: String) {
    var facts: [Substring: Substring] = [:]
    let pairs = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    for pair in pairs {
      if let word = pair.first { facts[word] = pair.dropFirst().first ?? "" }
    }
    guard let kinds = facts["kinds"], let schedules = facts["schedules"].flatMap({ Int($0) }) else {
      return nil
    }
    self.kinds = Set(kinds.split(separator: ",").map(String.init))
    self.schedules = schedules
    isComplete = facts["complete"] == "true"
    uncontrolled = facts["uncontrolled"].flatMap { Int($0) } ?? 0
    uncontrolledPlaces = pairs.filter { $0.first == "place" }.map { String($0.last ?? "") }
    schedule = facts["schedule"].map(String.init)
    forcedSwitches = facts["forced"].flatMap { Int($0) }
    divergence = facts["divergence"].map(String.init)
  }
}

extension Trial {
  /// Seconds for all schedules of one program.
  private static let limit: TimeInterval = 120

  /// Explores the program in a process of its own.
  ///
  /// - Parameter seed: of the strategies; the host's own if there is none.
  /// - Parameter schedules: how many at most, or one to follow.
  package func explore(
    in host: ScenarioHost, without detector: String? = nil, seed: Seed? = nil,
    following schedule: String? = nil, schedules: Int? = nil, report file: URL
  ) async throws -> Sighting {
    let options = [
      detector.map { "without=\($0)" } ?? "", expectation.options, "report=\"\(file.path)\"",
    ].filter { !$0.isEmpty }.joined(separator: " ")
    let words = [
      seed.map { "seed=\($0.rawValue)" }, schedule.map { "schedule=\($0)" },
      schedules.map { "schedules=\($0)" },
    ].compactMap(\.self)
    let child = ChildProcess(
      executable: host.executable, arguments: ["explore", scenario.id, variant.rawValue] + words,
      environment: ChildProcess.environment(
        options: options, reportsRaces: true, from: ProcessInfo.processInfo.environment),
      limit: Self.limit)
    let result = try await child.run()
    let said = ExplorationSaid(result.standardOutput)
    // The report has what might go wrong, and what the program died of.
    let kinds = said?.kinds.union(Self.kinds(in: file) ?? []) ?? Self.kinds(in: file)
    return Sighting(
      ending: result.outcome, kinds: kinds,
      complaint: result.standardError, exploration: said,
      schedule: said?.schedule ?? Self.report(in: file)?.findings.lazy.compactMap(\.schedule).first,
      accusations: Self.accusations(in: file))
  }
}

extension Judge {
  /// What is wrong with an exploration, in words; `nil` if it is as it must be.
  static func problem(
    exploring outcome: Scenario.Outcome, verdict: Scenario.Verdict, seen: Sighting
  ) -> String? {
    var problems = [problem(with: verdict, seen)]
    switch seen.ending {
    case .exited(0), .exited(1): break
    case .signalled where outcome == .traps, .exited(66) where outcome == .traps: break
    default: problems.append("must explore to the end, but \(seen.ending.words)")
    }
    let told = problems.compactMap(\.self)
    return told.isEmpty ? nil : told.joined(separator: "; ")
  }
}
