import Foundation
import ThreadmillScenarios

/// The results of a verification: a row for every variant in every mode.
package struct Verification: Sendable {
  package struct Row: Sendable {
    package let trial: Trial
    /// In the order in which they came.
    package let sightings: [Sighting]
    /// What was wrong with a run, each problem once, with the number of runs that had it.
    package let problems: [Problem]

    /// - Parameter isSanitized: whether Thread Sanitizer was in the program.
    package init(_ trial: Trial, _ sightings: [Sighting], isSanitized: Bool) {
      self.trial = trial
      self.sightings = sightings
      var problems: [Problem] = []
      for seen in sightings {
        guard let text = trial.problem(seen, isSanitized: isSanitized) else { continue }
        if let index = problems.firstIndex(where: { $0.text == text }) {
          problems[index].runs += 1
        } else {
          problems.append(Problem(text: text, runs: 1, shaking: seen.shaking))
        }
      }
      if let rare = Rate(trial.verdict, sightings)?.problem {
        problems.append(Problem(text: rare, runs: sightings.count))
      }
      self.problems = problems
    }

    package var isRight: Bool { problems.isEmpty }

    /// Everything that was found in some run.
    package var seen: Set<String> { Set(sightings.flatMap { $0.kinds ?? [] }) }

    /// How often what is up to chance was found; `nil` where nothing is.
    package var rate: Rate? { Rate(trial.verdict, sightings) }
  }

  package struct Problem: Hashable, Sendable {
    package let text: String
    package var runs: Int
    /// How the first of these runs was shaken, if it was.
    package var shaking: Shaking?
  }

  package let rows: [Row]
  /// The kind of findings that was not looked for; `nil` for none.
  package let detector: String?
  package let seconds: Int

  package init(rows: [Row], without detector: String? = nil, seconds: Int) {
    self.rows = rows
    self.detector = detector
    self.seconds = seconds
  }

  package var wrong: [Row] { rows.filter { !$0.isRight } }

  package var status: ExitStatus { wrong.isEmpty ? .nothingFound : .findings }

  package var runs: Int { rows.reduce(0) { $0 + $1.sightings.count } }

  /// Those of which there is a row, in the order of their declaration.
  package var modes: [Trial.Mode] {
    Trial.Mode.allCases.filter { mode in rows.contains { $0.trial.mode == mode } }
  }
}

/// How often something was found that need not be found every time.
package struct Rate: Hashable, Sendable {
  /// The share of runs that must find it.
  package let wanted: Double
  package let found: Int
  package let runs: Int

  package init(wanted: Double, found: Int, runs: Int) {
    self.wanted = wanted
    self.found = found
    self.runs = runs
  }

  /// `nil` where the verdict leaves nothing to chance.
  init?(_ verdict: Scenario.Verdict?, _ sightings: [Sighting]) {
    guard case .perhaps(let allowed, let rate) = verdict else { return nil }
    wanted = rate
    found = sightings.count { !($0.kinds ?? []).isDisjoint(with: allowed) }
    runs = sightings.count
  }

  /// `3 of 20 runs, at least 99 % wanted`
  package var words: String {
    "\(found) of \(runs) run\(runs == 1 ? "" : "s"), at least \(percent(wanted)) wanted"
  }

  /// How rarely chance alone would bring so few; what is rarer counts as a rate that is not kept.
  private static let level = 0.001

  /// A few runs too few are chance: a row with 99 % would otherwise fail every hundredth time.
  package var problem: String? {
    likelihood < Self.level ? "is found too rarely: in \(words)" : nil
  }

  /// How likely so few or fewer finds are at exactly the wanted rate: the binomial distribution.
  package var likelihood: Double {
    guard wanted > 0 else { return 1 }
    guard wanted < 1 else { return found == runs ? 1 : 0 }
    // The logarithm, since the first terms of many runs are too small for a number.
    var term = Double(runs) * log(1 - wanted)
    var sum = exp(term)
    for hit in 0..<found {
      term += log(Double(runs - hit) / Double(hit + 1) * wanted / (1 - wanted))
      sum += exp(term)
    }
    return min(1, sum)
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
