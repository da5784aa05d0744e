import ThreadmillModel

/// How often each of the things was seen that many runs have shown, as lines of text.
package struct TallyText: Sendable {
  private let tally: Tally
  private let noun: String

  /// - Parameter noun: what one run is called: `run`, `repetition`.
  package init(_ tally: Tally, noun: String) {
    self.tally = tally
    self.noun = noun
  }

  /// A head, and a line for each; ends with a line break.
  package var text: String {
    guard !tally.entries.isEmpty else { return "" }
    var layout = TextLayout()
    let runs = TextReport.plural(tally.runs, noun)
    layout.text("Threadmill: seen in \(runs), with the range of the true rate (95% confidence)")
    for entry in tally.entries {
      layout.row(
        share(of: entry), Self.range(tally.interval(of: entry)), "first: \(first(of: entry))",
        entry.sight.title, group: .facts, indent: 2)
    }
    return layout.render()
  }

  private func share(of entry: Tally.Entry) -> String { "\(entry.count) of \(tally.runs)" }

  private func first(of entry: Tally.Entry) -> String {
    let seed = entry.first.seed.map { ", \(entry.first.policy.rawValue), seed \($0)" }
    return "\(noun) \(entry.first.number)\(seed ?? "")"
  }

  /// `28.2% to 46.8%`
  private static func range(_ interval: WilsonInterval) -> String {
    "\(percent(interval.low)) to \(percent(interval.high))"
  }

  /// With one decimal.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
