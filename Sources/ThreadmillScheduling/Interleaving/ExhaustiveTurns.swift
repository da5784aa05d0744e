/// Whether ``Exhaustive`` has another turn in a portfolio: at most 128 times, and only if the
/// choices of some schedule, multiplied, were at most 128.
///
/// If strands are drawn evenly, the mean of these products is the number of orders (D. E. Knuth,
/// "Estimating the Efficiency of Backtrack Programs", 1975), and some order has no greater
/// product. Strategies do not draw evenly, so that the least product is used. It rules out programs
/// without a short schedule; of the others, the first limit ends those with many orders.
struct ExhaustiveTurns: Sendable {
  static let most = 128

  private var taken = 0
  /// The product of this schedule's choices.
  private var product = 1.0
  /// The least one of a schedule that was not cut.
  private var least = Double.infinity

  mutating func begin() { product = 1 }
  mutating func choose(among count: Int) { product *= Double(count) }
  mutating func ended() { least = min(least, product) }

  /// Returns whether it has a turn, and counts it.
  mutating func take() -> Bool {
    guard taken < Self.most, least <= Double(Self.most) else { return false }
    taken += 1
    return true
  }
}
