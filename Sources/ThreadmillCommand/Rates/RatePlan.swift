import ThreadmillModel
import ThreadmillScenarios

/// Which runs a measurement of rates has, and in which order.
package struct RatePlan: Sendable {
  /// One program with a flaw under one treatment.
  package struct Row: Sendable {
    package let trial: Trial
    package let treatment: Treatment
  }

  /// One run of a row, both by their numbers from 0.
  package struct Run: Hashable, Sendable {
    package let row: Int
    package let number: Int
  }

  /// Some runs of each row: first, together, those that are not beside busy processes, then,
  /// together, those that are.
  package struct Round: Hashable, Sendable {
    package var calm: [Run] = []
    package var loaded: [Run] = []
  }

  /// How many runs a round has at least, so that few cores are idle at its end.
  private static let runsOfARound = 64

  /// By scenario, then by treatment.
  package let rows: [Row]
  /// The number of runs of each row.
  package let runs: Int
  package let seed: Seed

  package init(
    scenarios: [Scenario] = probabilistic, treatments: [Treatment] = Treatment.all, runs: Int,
    seed: Seed
  ) {
    rows = scenarios.flatMap { scenario in
      treatments.flatMap { treatment in
        Trial.all([scenario], in: [treatment.mode])
          .filter { $0.variant == scenario.chancyVariant ?? .flawed }
          .map { Row(trial: $0, treatment: treatment) }
      }
    }
    self.runs = runs
    self.seed = seed
  }

  /// Those in which chance has a say, and that can go wrong here.
  package static let probabilistic = Scenario.all.filter {
    $0.chancyVariant != nil && $0.isPossibleHere
  }

  /// Every run once. What changes on the machine meanwhile meets all rows alike: the first run of
  /// each comes before the second of any, and no treatment always follows the same other one.
  package var rounds: [Round] {
    let loaded = rows.count { $0.treatment == .load }
    // Where there is nothing to take turns with, all of it is one round.
    let size =
      loaded == 0 || loaded == rows.count
      ? runs : max(1, (Self.runsOfARound + rows.count - 1) / rows.count)
    return stride(from: 0, to: runs, by: size).map { first in
      let all = (first..<min(first + size, runs)).flatMap { number in
        turned(by: number).map { Run(row: $0, number: number) }
      }
      return Round(calm: all.filter { !isLoaded($0) }, loaded: all.filter(isLoaded))
    }
  }

  private func isLoaded(_ run: Run) -> Bool { rows[run.row].treatment == .load }

  /// The numbers of the rows, with another one in front for each number.
  private func turned(by number: Int) -> [Int] {
    guard !rows.isEmpty else { return [] }
    let first = number % rows.count
    return Array(first..<rows.count) + Array(0..<first)
  }

  /// How the threads of a run are disturbed; `nil` for not at all.
  package func shaking(of run: Run) -> Shaking? {
    guard case .jitter(let policy) = rows[run.row].treatment else { return nil }
    let name = "\(rows[run.row].trial.name) \(policy.rawValue)"
    return Shaking(policy, seed: seed).derived(for: name, run: run.number)
  }
}

extension Scenario {
  /// The first variant with something that Thread Sanitizer or a shaken schedule finds in a share
  /// of the runs, or with a data race, which is up to chance by its nature.
  fileprivate var chancyVariant: Variant? {
    [.flawed, .harmful].first { variant in
      let verdicts = expectations[variant]?.verdicts ?? [:]
      return [verdicts[.tsan], verdicts[.jitter]].contains { verdict in
        switch verdict {
        case .perhaps: true
        case .finds(let required, _): required.contains(FindingKind.dataRace.rawValue)
        case .silent, .missed, nil: false
        }
      }
    }
  }
}

extension Trial {
  /// Whether what was found is what there was to find: all that is required, or one of what may be
  /// found as chance has it, or the harm that a shaken schedule has brought about.
  func isDetected(_ kinds: Set<String>) -> Bool {
    let ways = [expectation, harm].compactMap(\.self)
    return ways.contains { way in
      switch verdict(of: way) {
      case .finds(let required, _): required.isSubset(of: kinds)
      case .perhaps(let allowed, _): !allowed.isDisjoint(with: kinds)
      case .silent, .missed, nil: false
      }
    }
  }
}
