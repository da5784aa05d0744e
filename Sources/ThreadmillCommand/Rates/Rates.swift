import ThreadmillModel

/// The results of a measurement of rates.
package struct Rates: Sendable {
  /// The result of one run.
  package struct Sample: Hashable, Sendable {
    package let number: Int
    package let isDetected: Bool
    /// From the start of the process to its end.
    package let seconds: Double
    /// Whether the program left a report, even an empty one.
    package let isReported: Bool

    package init(number: Int, isDetected: Bool, seconds: Double, isReported: Bool = true) {
      self.number = number
      self.isDetected = isDetected
      self.seconds = seconds
      self.isReported = isReported
    }
  }

  package struct Row: Sendable {
    package let scenario: String
    package let treatment: Treatment
    /// The share of runs that has to find it; `nil` where none has to.
    package let wanted: Double?
    /// In the order of their numbers.
    package let samples: [Sample]

    package init(_ row: RatePlan.Row, _ samples: [Sample]) {
      scenario = row.trial.scenario.id
      treatment = row.treatment
      wanted = row.wanted
      self.samples = samples.sorted { $0.number < $1.number }
    }

    package var detected: Int { samples.count(where: \.isDetected) }

    package var unreported: Int { samples.count { !$0.isReported } }

    package var interval: WilsonInterval {
      WilsonInterval(successes: detected, of: samples.count)
    }

    /// The time to the first detection, one run after the other; `nil` if there was none.
    package var first: Double? {
      samples.firstIndex(where: \.isDetected).map { index in
        samples[...index].reduce(0) { $0 + $1.seconds }
      }
    }

    /// Whether the detections are so few that the true rate is certainly below the wanted one.
    package var isTooRare: Bool { wanted.map { interval.high < $0 } ?? false }
  }

  package let rows: [Row]
  /// The number of runs of each row.
  package let runs: Int
  package let seed: Seed
  package let seconds: Int

  package init(rows: [Row], runs: Int, seed: Seed, seconds: Int) {
    self.rows = rows
    self.runs = runs
    self.seed = seed
    self.seconds = seconds
  }

  package var tooRare: [Row] { rows.filter(\.isTooRare) }

  package var status: ExitStatus { tooRare.isEmpty ? .nothingFound : .findings }
}

extension RatePlan.Row {
  /// The share of runs in which the default policy has to find a bug.
  private static let share = 0.99
  private static let policy = JitterPolicy.portfolio

  /// The share of runs that has to find it: where every run, or such a share, has to under Thread
  /// Sanitizer, of those under the default policy.
  var wanted: Double? {
    guard treatment == .jitter(Self.policy) else { return nil }
    return switch trial.verdict {
    case .finds: Self.share
    case .perhaps(_, let rate): rate > 0 ? rate : nil
    case .silent, .missed, nil: nil
    }
  }
}
