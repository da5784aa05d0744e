/// Where a share lies, judged by how often something happened in a number of runs: with a
/// confidence of 95 %, between `low` and `high`.
///
/// E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 1927.
/// Unlike the share plus and minus its deviation it stays between 0 and 1, and says something for
/// few runs and for a share of 0 or 1 as well.
package struct WilsonInterval: Hashable, Sendable {
  /// The quantile of the normal distribution that leaves 2.5 % on each side.
  private static let quantile = 1.959_963_984_540_054

  package let low: Double
  package let high: Double

  /// Nothing at all is known without a run: 0 to 1.
  package init(successes: Int, of runs: Int) {
    precondition((0...max(0, runs)).contains(successes), "\(successes) of \(runs) runs")
    guard runs > 0 else {
      (low, high) = (0, 1)
      return
    }
    let (count, share) = (Double(runs), Double(successes) / Double(runs))
    let square = Self.quantile * Self.quantile
    let middle = share + square / (2 * count)
    let spread = (share * (1 - share) + square / (4 * count)) / count
    let reach = Self.quantile * spread.squareRoot()
    let scale = 1 + square / count
    // The ends that are 0 and 1 by arithmetic are so in spite of rounding.
    low = successes == 0 ? 0 : (middle - reach) / scale
    high = successes == runs ? 1 : (middle + reach) / scale
  }
}
