/// Whether ``Exhaustive`` has another turn in a portfolio: as long as the program may have so few
/// orders that the schedules left to it cover them.
///
/// The estimate of the number of orders is the product of the choices of a schedule, the numbers of
/// strands that could go on. If strands are drawn evenly, its mean is that number (D. E. Knuth,
/// "Estimating the Efficiency of Backtrack Programs", 1975).
struct ExhaustiveTurns: Sendable {
  private static let most = 128

  private var taken = 0
  /// The product of this schedule's choices.
  private var product = 1.0
  /// The least one of a whole schedule.
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
