import Foundation
import ThreadmillChildren

/// The table of the programs in C and Swift, and the same as JSON.
struct PortTable {
  /// The default of an exploration, which has limits.
  static let standard = "portfolio"
  private static let (leastSuccess, mostGeomean) = (0.96, 4.4)

  /// What is written as JSON: what came of the default.
  private struct Report: Encodable {
    let `default`: Trials.Summary
    let programs: [Trials.Outcome]
  }

  let trials: Trials
  let strategies: [String]
  /// Part of the names of the wanted programs; `nil` for all.
  let only: String?

  /// - Returns: whether the default is within its limits.
  func print(json: String?, page: String?) async throws -> Bool {
    let programs = try await trials.programs.filter { only.map($0.contains) ?? true }
    let slots = Slots(ProcessInfo.processInfo.activeProcessorCount)
    var outcomes: [String: [Trials.Outcome]] = [:]
    var lines = header
    lines.forEach(say)
    for program in programs {
      var line = FirstHits.pad(program, 22)
      for strategy in strategies {
        let outcome = try await trials.outcome(program, strategy, in: slots)
        outcomes[strategy, default: []].append(outcome)
        line += FirstHits.pad("\(Self.text(outcome.median)) (\(outcome.found))", 18)
      }
      lines.append(line + Self.text(Published.all[program]))
      say(lines[lines.count - 1])
    }
    let summaries = strategies.map { Self.words($0, Trials.Summary(outcomes[$0] ?? [])) }
    summaries.forEach(say)
    if let page { try write(lines + [""] + summaries, toPage: page) }
    guard let standard = outcomes[Self.standard] else { return true }
    let summary = Trials.Summary(standard)
    if let json { try write(Report(default: summary, programs: standard), to: json) }
    return summary.success >= Self.leastSuccess && summary.geomean <= Self.mostGeomean
  }

  private var header: [String] {
    [
      "schedules to the first failure: median of \(trials.seeds) seeds, and how many found it",
      FirstHits.pad("program", 22) + strategies.map { FirstHits.pad($0, 18) }.joined()
        + "published POS / PCT3 / RFF / PERIOD",
    ]
  }

  private static func words(_ strategy: String, _ summary: Trials.Summary) -> String {
    "\(strategy): mean success \(String(format: "%.3f", summary.success)), geometric mean of the "
      + "medians \(String(format: "%.2f", summary.geomean)), \(summary.programs) programs"
  }

  /// Prints a line at once: the next one may take minutes.
  private func say(_ line: String) {
    Swift.print(line)
    fflush(nil)
  }

  private func write(_ lines: [String], toPage path: String) throws {
    let page = """
      # How soon explorations find mistakes

      Written by `scripts/strategies --page`: of small programs in C and Swift with one mistake each, the schedules until
      it is found when every access to memory is a point, the median of the seeds, and in brackets how many seeds found
      it within 10,000 schedules and 60 seconds of processor time. The published medians belong to whole programs of the
      same kind (D. Wolff et al., "Greybox Fuzzing for Concurrency Testing", ASPLOS 2024), of 20 trials; `-`: at most half
      of the trials found anything.

      ```
      \(lines.joined(separator: "\n"))
      ```

      """
    try Data(page.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private func write(_ report: Report, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(report).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private static func text(_ median: Double?) -> String { median?.formatted() ?? "-" }

  private static func text(_ published: Published?) -> String {
    guard let published else { return "" }
    let figures = [published.pos, published.pct3, published.rff, published.period]
    return figures.map(text).joined(separator: " / ")
  }
}
