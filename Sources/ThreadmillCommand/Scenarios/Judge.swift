import ThreadmillChildren
import ThreadmillModel
import ThreadmillScenarios

/// The result of one run of a scenario.
package struct Sighting: Hashable, Sendable {
  package var ending: ChildProcess.Outcome
  /// The kinds that the report accuses the program of; `nil` if there is no report.
  package var kinds: Set<String>?
  /// What the program wrote to standard error.
  package var complaint: String
  /// How its threads were disturbed; `nil` for not at all.
  package var shaking: Shaking?
  /// `nil` where nothing was explored, or the program died of it.
  package var exploration: ExplorationSaid?
  /// That went wrong, also where the program died of it.
  package var schedule: String?
  /// The accusations of the report; `nil` if frames have no names, or there is no report.
  package var accusations: [Finding]?

  package init(
    ending: ChildProcess.Outcome, kinds: Set<String>?, complaint: String = "",
    shaking: Shaking? = nil, exploration: ExplorationSaid? = nil, schedule: String? = nil,
    accusations: [Finding]? = nil
  ) {
    self.ending = ending
    self.kinds = kinds
    self.complaint = complaint
    self.shaking = shaking
    self.exploration = exploration
    self.schedule = schedule
    self.accusations = accusations
  }
}

/// Holds what was seen against what must be: the one place where that is decided.
package enum Judge {
  /// Returns what is wrong, in words; `nil` if it is as it must be.
  ///
  /// - Parameter outcome: what becomes of the program when nobody interferes.
  /// - Parameter verdict: what must be found; `nil` where nobody looks, and nothing may be said.
  /// - Parameter isSanitized: whether Thread Sanitizer is in the program.
  package static func problem(
    outcome: Scenario.Outcome, verdict: Scenario.Verdict?, seen: Sighting, isSanitized: Bool
  ) -> String? {
    let problems = [
      verdict.map { problem(with: $0, seen) } ?? problem(inSilence: seen),
      isRight(seen.ending, outcome, found: seen.kinds ?? [], isWatched: verdict != nil, isSanitized)
        ? nil : "must \(outcome.words), but \(seen.ending.words)",
    ].compactMap(\.self)
    return problems.isEmpty ? nil : problems.joined(separator: "; ")
  }

  static func problem(with verdict: Scenario.Verdict, _ seen: Sighting) -> String? {
    guard let kinds = seen.kinds ?? (seen.ending.isForced ? [] : nil) else {
      return "there is no report"
    }
    guard !verdict.agrees(with: kinds) else { return nil }
    let missing = verdict.required.subtracting(kinds)
    let extra = kinds.subtracting(verdict.required).subtracting(verdict.allowed)
    return [
      missing.isEmpty ? nil : "must find \(list(missing))\(found(kinds))",
      extra.isEmpty ? nil : "finds \(list(extra)), which must not be",
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func found(_ kinds: Set<String>) -> String {
    kinds.isEmpty ? ", but finds nothing" : ", but finds \(list(kinds)) only"
  }

  private static func problem(inSilence seen: Sighting) -> String? {
    guard let kinds = seen.kinds, !kinds.isEmpty else { return nil }
    return "nobody looks, and yet \(list(kinds)) is found"
  }

  private static func isRight(
    _ ending: ChildProcess.Outcome, _ outcome: Scenario.Outcome, found: Set<String>,
    isWatched: Bool, _ isSanitized: Bool
  ) -> Bool {
    switch (outcome, ending) {
    case (.delays, .exited(let status)): status == 0
    case (.ends, .exited(let status)): (status == 0) == found.isEmpty && !wrong(status)
    case (.errs, .exited(let status)): wrong(status)
    case (.mayErr, .exited(let status)): found.isEmpty ? status == 0 || wrong(status) : status != 0
    case (.traps, .signalled): true
    // Thread Sanitizer turns an invalid access into an exit of its own.
    case (.traps, .exited(let status)): isSanitized && status == 66
    case (.hangs, .stopped), (.hangs, .timedOut), (.mayHang, .stopped), (.mayHang, .timedOut): true
    case (.mayHang, .exited(let status)): (status == 0) == found.isEmpty && !wrong(status)
    // A reported hang ends the process.
    case (.hangs, .exited(let status)): isWatched && status == 1 && !found.isEmpty
    default: false
    }
  }

  private static func wrong(_ status: Int32) -> Bool { status == Scenario.wrongResultStatus }

  static func list(_ kinds: Set<String>) -> String { kinds.sorted().joined(separator: ", ") }
}

extension Trial {
  /// What is wrong with a run, in words; `nil` if it is as it must be.
  package func problem(_ seen: Sighting, isSanitized: Bool) -> String? {
    problemOfKinds(seen, isSanitized: isSanitized) ?? problemOfCulprits(seen)
  }

  private func problemOfCulprits(_ seen: Sighting) -> String? {
    seen.accusations?.lazy.compactMap { Culprits.problem(with: $0, in: scenario) }.first
  }

  private func problemOfKinds(_ seen: Sighting, isSanitized: Bool) -> String? {
    if mode == .explore, let verdict {
      return Judge.problem(exploring: expectation.outcome, verdict: verdict, seen: seen)
    }
    let problem = Judge.problem(
      outcome: expectation.outcome, verdict: verdict, seen: seen, isSanitized: isSanitized)
    guard problem != nil, mayDoHarm, let own = verdict else { return problem }
    let other = harm.flatMap(verdict) ?? own
    // A schedule that is shaken may lead to as much of the harm as it likes.
    let outcomes = [expectation.outcome, harm?.outcome, .mayErr].compactMap(\.self)
    let isHarm = outcomes.contains { outcome in
      [own.allowing(other), other.allowing(own)].contains { verdict in
        Judge.problem(outcome: outcome, verdict: verdict, seen: seen, isSanitized: isSanitized)
          == nil
      }
    }
    return isHarm ? nil : problem
  }
}

extension Scenario.Verdict {
  /// The same demands, with all that the other verdict speaks of beside it.
  fileprivate func allowing(_ other: Self) -> Self {
    let more = allowed.union(other.required).union(other.allowed)
    return switch self {
    case .silent, .missed: .perhaps(more, rate: 0)
    case .perhaps(_, let rate): .perhaps(more, rate: rate)
    case .finds(let required, _): .finds(required: required, allowed: more)
    }
  }
}

extension ChildProcess.Outcome {
  /// It did not end by itself.
  fileprivate var isForced: Bool { self == .stopped || self == .timedOut }

  /// As it goes on after "it".
  package var words: String {
    switch self {
    case .exited(0): "ends well"
    case .exited(Scenario.wrongResultStatus): "ends with a wrong result"
    case .exited(let status): "ends with status \(status)"
    case .signalled(let signal): "is killed by signal \(signal)"
    case .timedOut: "is still running at the limit"
    case .stopped: "hangs"
    }
  }
}

extension Scenario.Outcome {
  /// As it goes on after "must".
  fileprivate var words: String {
    switch self {
    case .ends: "come to its end"
    case .delays: "come to its end with status 0"
    case .errs: "end with a wrong result"
    case .mayErr: "come to its end, be the result right or wrong"
    case .hangs: "hang"
    case .mayHang: "come to its end or hang"
    case .traps: "be killed by a signal"
    }
  }
}
