import ThreadmillModel

/// Spends repetitions over the jitter policies, and shifts towards those that lately led to more
/// that is new in the same time.
///
/// Probability matching with a least share for every arm, as in D. Thierens, "An Adaptive Pursuit
/// Strategy for Allocating Operator Probabilities", GECCO 2005, section 2.1. Two differences: each
/// arm is tried once before anything is drawn, and the quality of an arm is what it found per
/// second, since a run under one policy may take ten times as long as under another. Old gains
/// fade: whatever is new gets rarer with every policy that has found it.
package struct Portfolio: Sendable {
  private struct Arm {
    var outcome: PolicyOutcome
    var recentPairs = 0.0
    var recentSeconds = 0.0

    /// New pairs per second, of the latest runs more than of the older ones.
    var gain: Double { recentSeconds > 0 ? recentPairs / recentSeconds : 0 }
  }

  /// The policies in the order in which they are first tried: those first that find most where
  /// there is time for few.
  package static let policies: [JitterPolicy] = [.heavy, .priority, .starve, .nearMiss, .light]
  /// What every arm gets, whatever it finds: half of an equal share.
  package static let leastShare = 0.1
  /// How much of an arm's past is left after one more run of it.
  private static let fading = 0.7
  /// So that a run that takes no time at all has no infinite gain.
  private static let shortestRun = 1e-6

  private var arms = Self.policies.map { Arm(outcome: PolicyOutcome(policy: $0)) }
  private var generator: SplitMix64

  /// - Parameter seed: what the choices follow from, beside what the runs were rewarded with.
  package init(seed: Seed) { generator = SplitMix64(seed: seed) }

  /// What became of each of ``policies``.
  package var outcomes: [PolicyOutcome] { arms.map(\.outcome) }

  /// The probability with which each of ``policies`` is drawn next; they add up to 1.
  package var shares: [Double] {
    let gains = arms.map(\.gain)
    let sum = gains.reduce(0, +)
    guard sum > 0 else { return arms.map { _ in 1 / Double(arms.count) } }
    let rest = 1 - Self.leastShare * Double(arms.count)
    return gains.map { Self.leastShare + rest * $0 / sum }
  }

  /// The policy for the next run, which has to be rewarded before the one after it is asked for.
  package mutating func next() -> JitterPolicy {
    if let untried = arms.first(where: { $0.outcome.runs == 0 }) { return untried.outcome.policy }
    var left = Double.random(in: 0..<1, using: &generator)
    for (arm, share) in zip(arms, shares) {
      left -= share
      if left < 0 { return arm.outcome.policy }
    }
    return arms[arms.count - 1].outcome.policy
  }

  /// What a run under a policy of ``policies`` came to.
  package mutating func reward(_ policy: JitterPolicy, newPairs: Int, seconds: Double) {
    guard let index = arms.firstIndex(where: { $0.outcome.policy == policy }) else { return }
    arms[index].outcome.runs += 1
    arms[index].outcome.newPairs += newPairs
    arms[index].recentPairs = arms[index].recentPairs * Self.fading + Double(newPairs)
    arms[index].recentSeconds =
      arms[index].recentSeconds * Self.fading + max(seconds, Self.shortestRun)
  }
}
