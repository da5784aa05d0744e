import ThreadmillModel

/// The results of a portfolio of jitter policies, as lines of text.
package struct PortfolioText: Sendable {
  private let outcomes: [PolicyOutcome]
  private let coverage: JitterCoverage

  package init(_ outcomes: [PolicyOutcome], coverage: JitterCoverage) {
    self.outcomes = outcomes
    self.coverage = coverage
  }

  /// The coverage, and a line for each policy that had a run; ends with a line break.
  package var text: String {
    var layout = TextLayout()
    let locks = TextReport.plural(coverage.lockPairs, "pair")
    let threads = TextReport.plural(coverage.threadPairs, "pair")
    layout.text(
      "Threadmill: \(locks) of locks seen, one taken inside the other, and \(threads) of threads, "
        + "one after the other on one object")
    let all = max(1, outcomes.reduce(0) { $0 + $1.runs })
    for outcome in outcomes where outcome.runs > 0 {
      layout.row(
        outcome.policy.rawValue, TextReport.plural(outcome.runs, "run"),
        TallyText.percent(Double(outcome.runs) / Double(all)),
        TextReport.plural(outcome.newPairs, "new pair"), group: .facts, indent: 2)
    }
    return layout.render()
  }
}
