import ThreadmillModel
import ThreadmillReporting

/// Rates as people read them: a table, then whether what is wanted holds.
package struct RatesText {
  private let rates: Rates
  private let command: String

  /// - Parameter command: what measures the same again.
  package init(_ rates: Rates, command: String) {
    self.rates = rates
    self.command = command
  }

  package var text: String {
    "\(table)\n\(legend)\n\(mute)\(verdict)\(lastLines)"
  }

  private var table: String {
    let head = ["scenario", "policy", "found", "share", "95 % interval", "first"]
    var lines = [head]
    var last = ""
    for row in rates.rows {
      let interval = row.interval
      lines.append([
        row.scenario == last ? "" : row.scenario, row.treatment.name,
        "\(row.detected) of \(row.samples.count)",
        "\(Self.percent(Double(row.detected) / Double(max(1, row.samples.count)))) %",
        "\(Self.percent(interval.low)) – \(Self.percent(interval.high)) %",
        row.first.map { "\(Self.tenths($0)) s" } ?? "–",
      ])
      last = row.scenario
    }
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = head.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - line[column].count)
        // Words begin, and figures end, below each other.
        return column < 2 ? line[column] + padding : padding + line[column]
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  private var legend: String {
    """
    threads: Thread Sanitizer compares threads, as it does alone. plain: it compares blocks and tasks.
    Nobody disturbs the threads in these two. load: the same beside busy processes.
    first: time of running until the first detection.

    """
  }

  /// Whether what is wanted of the default policy holds, as far as so many runs can show.
  private var verdict: String {
    let judged = rates.rows.filter { $0.wanted != nil }
    guard let share = judged.compactMap(\.wanted).max(), let policy = judged.first?.treatment.name
    else { return "nothing is wanted of what was measured\n" }
    let wanted = "at least \(Self.percent(share)) % under \(policy)"
    let rare = rates.tooRare
    guard !rare.isEmpty else {
      let count = judged.count == 1 ? "1 scenario" : "\(judged.count) scenarios"
      return "✓ \(wanted) in \(count), as far as can be told: \(power(share))\n"
    }
    let names = rare.map { row in
      "    \(row.scenario): \(row.detected) of \(row.samples.count), at most "
        + "\(JSON.Number(row.interval.high * 100, places: 2).text) %\n"
    }
    return "✗ not \(wanted): \(power(share))\n\(names.joined())"
  }

  /// Runs that ended without a word of Threadmill: they count as runs that found nothing.
  private var mute: String {
    rates.rows.filter { $0.unreported > 0 }.map { row in
      "! \(row.scenario), \(row.treatment.name): \(row.unreported) of \(row.samples.count) runs "
        + "left no report\n"
    }.joined()
  }

  /// What so many runs can tell of a share.
  private func power(_ share: Double) -> String {
    let excluding =
      switch Self.missesThatExclude(share, of: rates.runs) {
      case nil: "nothing in \(rates.runs) runs excludes it"
      case 1: "1 miss in \(rates.runs) runs excludes it"
      case .some(let misses): "\(misses) misses in \(rates.runs) runs exclude it"
      }
    guard let enough = Self.runsThatShow(share), enough > rates.runs else { return excluding }
    return "\(excluding), \(enough) without a miss would show it"
  }

  /// The fewest runs without a detection, among so many, whose interval excludes the share; `nil`
  /// if none does.
  package static func missesThatExclude(_ share: Double, of runs: Int) -> Int? {
    (0...runs).first { WilsonInterval(successes: runs - $0, of: runs).high < share }
  }

  /// The fewest runs whose interval lies above the share if each of them is a detection; `nil`
  /// for a share that no number of runs can show.
  package static func runsThatShow(_ share: Double) -> Int? {
    guard share < 1 else { return nil }
    var runs = 1
    while WilsonInterval(successes: runs, of: runs).low < share { runs += 1 }
    return runs
  }

  private var lastLines: String {
    let total = rates.rows.reduce(0) { $0 + $1.samples.count }
    return """
      \(rates.rows.count) rows: \(total) runs in \(rates.seconds) s
      to measure again: \(command)

      """
  }

  /// With one place behind the point, but for what is exact.
  private static func percent(_ share: Double) -> String {
    share == 0 || share == 1 ? "\(Int(share * 100))" : tenths(share * 100)
  }

  private static func tenths(_ value: Double) -> String { JSON.Number(value, places: 1).text }
}
