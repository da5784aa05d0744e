/// Spends trials over a number of arms, and shifts towards those that lately gained more for their
/// cost.
///
/// Probability matching with a least share for every arm, as in D. Thierens, "An Adaptive Pursuit
/// Strategy for Allocating Operator Probabilities", GECCO 2005, section 2.1. Two differences: each
/// arm is tried once before anything is drawn, and the quality of an arm is its gain per cost. Old
/// gains fade: whatever is new gets rarer with every arm that has found it.
package struct Bandit: Sendable {
  private struct Arm {
    var trials = 0
    var recentGain = 0.0
    var recentCost = 0.0

    /// Gain per cost, of the latest trials more than of the older ones.
    var quality: Double { recentCost > 0 ? recentGain / recentCost : 0 }
  }

  /// How much of an arm's past is left after one more trial of it.
  private let fading: Double
  /// What every arm gets, whatever it gains.
  private let leastShare: Double
  private var arms: [Arm]

  package init(arms: Int, leastShare: Double, fading: Double) {
    precondition(leastShare * Double(arms) <= 1, "\(arms) arms with a share of \(leastShare) each")
    self.arms = Array(repeating: Arm(), count: arms)
    (self.leastShare, self.fading) = (leastShare, fading)
  }

  /// The probability with which each arm is drawn next; they add up to 1.
  package var shares: [Double] {
    let sum = arms.reduce(0) { $0 + $1.quality }
    guard sum > 0 else { return arms.map { _ in 1 / Double(arms.count) } }
    let rest = 1 - leastShare * Double(arms.count)
    return arms.map { leastShare + rest * $0.quality / sum }
  }

  /// The arm for the next trial: the first one that was not tried yet, else one that is drawn.
  ///
  /// - Parameter draw: from 0 up to, but not including, 1.
  package func next(_ draw: Double) -> Int {
    if let untried = arms.firstIndex(where: { $0.trials == 0 }) { return untried }
    var left = draw
    for (arm, share) in shares.enumerated() {
      left -= share
      if left < 0 { return arm }
    }
    return arms.count - 1
  }

  /// What a trial of an arm came to.
  package mutating func reward(_ arm: Int, gain: Double, cost: Double) {
    arms[arm].trials += 1
    arms[arm].recentGain = arms[arm].recentGain * fading + gain
    arms[arm].recentCost = arms[arm].recentCost * fading + cost
  }
}
