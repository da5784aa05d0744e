import Foundation
import ThreadmillBenchCases

/// What one call costs bare and observed, held against its limit.
struct CaseRow: Codable {
  /// Which number a limit is for.
  enum Limited: String, Codable { case difference, ratio }

  let name: String
  let title: String
  let statistic: PricedCase.Statistic
  /// Nanoseconds; both 0 if this machine cannot measure the case.
  let bare: Double
  let observed: Double
  let difference: Double
  let ratio: Double
  /// The quartiles of the ratios of all rounds: a round runs the two programs one after the other.
  let ratioOfRounds: [Double]
  /// Absent for a case that is measured for information; `limited` says of which number it is.
  let limit: Double?
  let limited: Limited?
  /// For each round, what watching adds; absent for what is no fast path or cannot be counted.
  var allocationsAdded: Double?
  /// Made by the observed program: "none", the first one's number, or "unknown".
  var systemCalls: String?
  var ok: Bool

  /// Judges the case by all samples of the two programs.
  init(_ priced: PricedCase, bare: [Double], observed: [Double]) {
    name = priced.name
    title = priced.title
    statistic = priced.statistic
    self.bare = priced.statistic.value(of: bare)
    self.observed = priced.statistic.value(of: observed)
    difference = self.observed - self.bare
    ratioOfRounds = Self.quartiles(
      zip(bare.rounds, observed.rounds).map { bare, observed in
        priced.statistic.value(of: observed) / max(priced.statistic.value(of: bare), 0.001)
      })
    // What else runs on the machine changes from round to round: only a ratio inside of one round
    // says what the program did.
    let typical = priced.statistic == .median ? ratioOfRounds.dropFirst().first : nil
    ratio = self.bare > 0 ? typical ?? self.observed / self.bare : 1
    switch priced.limit {
    case .added(let nanoseconds):
      (limit, limited) = (nanoseconds, .difference)
      ok = difference <= nanoseconds
    case .factor(let factor):
      (limit, limited) = (factor, .ratio)
      ok = ratio <= factor
    case .none:
      (limit, limited) = (nil, nil)
      ok = true
    }
  }

  /// The first quartile, the median and the third one; empty for no numbers.
  private static func quartiles(_ numbers: [Double]) -> [Double] {
    let sorted = numbers.sorted()
    return sorted.isEmpty ? [] : [1, 2, 3].map { sorted[(sorted.count - 1) * $0 / 4] }
  }

  /// Adds what the fast path did besides taking time; more than nothing is not ok.
  mutating func add(allocations: Double?, systemCalls: String) {
    allocationsAdded = allocations
    self.systemCalls = systemCalls
    ok = ok && (allocations ?? 0) <= 0 && (systemCalls == "none" || systemCalls == "unknown")
  }
}

/// What many locks leave behind, or how the price grows with them.
struct EnduranceRow: Codable {
  let name: String
  let title: String
  let unit: String
  let bare: Double
  let observed: Double
  /// Of the observed number; for a part that is held against the bare one, computed from that.
  let limit: Double
  let ok: Bool

  init(_ part: EndurancePart, bare: [Double], observed: [Double]) {
    name = part.name
    title = part.title
    unit = part.unit
    self.bare = PricedCase.Statistic.median.value(of: bare)
    self.observed = PricedCase.Statistic.median.value(of: observed)
    switch part.limit {
    case .most(let most): limit = most
    case .factor(let factor): limit = factor * self.bare
    }
    ok = self.observed <= limit
  }
}

/// Everything that one run of the benchmark found; as JSON it is the file that `--json` names.
struct Comparison: Codable {
  let version: Int
  let rounds: Int
  let cores: Int
  /// Whether the gate is in the observed program; if not, the two programs are the same.
  let watched: Bool
  /// Whether every row is.
  let ok: Bool
  let cases: [CaseRow]
  let endurance: [EnduranceRow]

  init(rounds: Int, cores: Int, watched: Bool, cases: [CaseRow], endurance: [EnduranceRow]) {
    version = 1
    self.rounds = rounds
    self.cores = cores
    self.watched = watched
    ok = cases.allSatisfy(\.ok) && endurance.allSatisfy(\.ok)
    self.cases = cases
    self.endurance = endurance
  }
}

extension [Double] {
  /// The samples of each run of a program, which makes as many of each case.
  fileprivate var rounds: [[Double]] {
    stride(from: 0, to: count, by: BenchProgram.samplesPerCase).map {
      Array(self[$0..<Swift.min($0 + BenchProgram.samplesPerCase, count)])
    }
  }
}

extension PricedCase.Statistic {
  /// Stands for the samples; 0 for no samples.
  func value(of samples: [Double]) -> Double {
    switch self {
    case .minimum: return samples.min() ?? 0
    case .median: return samples.isEmpty ? 0 : samples.sorted()[samples.count / 2]
    }
  }
}
