import Foundation
import ThreadmillBenchCases

/// Runs the two programs, and puts what they say side by side.
struct Measuring {
  let rounds: Int
  /// Called with a word on what comes next.
  let progress: (String) -> Void

  private static let enduranceRounds = 3

  /// Takes some seconds a round; throws `BenchError` if one of the programs fails.
  func compare() throws -> Comparison {
    Comparison(
      rounds: rounds, cores: ProcessInfo.processInfo.activeProcessorCount,
      watched: try isWatched(), cases: try cases(), endurance: try EndurancePart.all.map(endurance))
  }

  private func isWatched() throws -> Bool {
    let watched = try BenchExecutable.observed.numbers(.watched)["watched"] == [1]
    if !watched { progress("the observed program has no gate: both programs are the same") }
    return watched
  }

  private func cases() throws -> [CaseRow] {
    progress("\(rounds) rounds of every case")
    let (bare, observed) = try alternate(rounds) { try $0.numbers(.times) }
    progress("allocations and system calls")
    let added = try allocationsAdded()
    return try PricedCase.all.map { priced in
      let name = priced.name
      guard let bare = bare[name], let observed = observed[name] else {
        throw BenchError("no samples of \(name)")
      }
      var row = CaseRow(priced, bare: bare, observed: observed)
      if priced.isFastPath {
        row.add(allocations: added[name], systemCalls: try systemCalls(of: name))
      }
      return row
    }
  }

  /// Where one of the programs cannot count, the name is missing.
  private func allocationsAdded() throws -> [String: Double] {
    let bare = try BenchExecutable.bare.numbers(.allocations)
    let observed = try BenchExecutable.observed.numbers(.allocations)
    return bare.reduce(into: [:]) { added, entry in
      guard let before = entry.value.first, before >= 0,
        let after = observed[entry.key]?.first, after >= 0
      else { return }
      added[entry.key] = after - before
    }
  }

  private func systemCalls(of name: String) throws -> String {
    let lines = try BenchExecutable.observed.run(.calls, name)
    guard let line = lines.last, line.count == 2, line[0] == "calls" else {
      throw BenchError("the count of system calls of \(name) printed \(lines)")
    }
    return line[1]
  }

  private func endurance(of part: EndurancePart) throws -> EnduranceRow {
    progress(part.title)
    let (bare, observed) = try alternate(Self.enduranceRounds) {
      try $0.numbers(.endurance, part.name)
    }
    return EnduranceRow(part, bare: bare[part.name] ?? [], observed: observed[part.name] ?? [])
  }

  /// Runs both programs in turn, each as often first as second, and gathers their numbers by name.
  private func alternate(
    _ rounds: Int, _ run: (BenchExecutable) throws -> [String: [Double]]
  ) throws -> (bare: [String: [Double]], observed: [String: [Double]]) {
    var bare: [String: [Double]] = [:]
    var observed: [String: [Double]] = [:]
    for round in 0..<rounds {
      if round.isMultiple(of: 2) { bare.merge(try run(.bare), uniquingKeysWith: +) }
      observed.merge(try run(.observed), uniquingKeysWith: +)
      if !round.isMultiple(of: 2) { bare.merge(try run(.bare), uniquingKeysWith: +) }
    }
    return (bare, observed)
  }
}
