import ThreadmillModel
import ThreadmillScheduling

/// Spends repetitions over the jitter policies, and shifts towards those that lately led to more
/// that is new in the same time: a run under one policy may take ten times as long as under
/// another (``Bandit``).
package struct Portfolio: Sendable {
  /// The policies in the order in which they are first tried: those first that find most where
  /// there is time for few.
  package static let policies: [JitterPolicy] = [.heavy, .priority, .starve, .nearMiss, .light]
  /// What every arm gets, whatever it finds: half of an equal share.
  package static let leastShare = 0.1
  /// How much of an arm's past is left after one more run of it.
  private static let fading = 0.7
  /// So that a run that takes no time at all has no infinite gain.
  private static let shortestRun = 1e-6

  /// What became of each of ``policies``.
  package private(set) var outcomes = Self.policies.map { PolicyOutcome(policy: $0) }
  private var bandit = Bandit(
    arms: Self.policies.count, leastShare: Self.leastShare, fading: Self.fading)
  private var generator: SplitMix64

  /// - Parameter seed: what the choices follow from, beside what the runs were rewarded with.
  package init(seed: Seed) { generator = SplitMix64(seed: seed) }

  /// The probability with which each of ``policies`` is drawn next; they add up to 1.
  package var shares: [Double] { bandit.shares }

  /// The policy for the next run, which has to be rewarded before the one after it is asked for.
  package mutating func next() -> JitterPolicy {
    if let untried = outcomes.first(where: { $0.runs == 0 }) { return untried.policy }
    return Self.policies[bandit.next(Double.random(in: 0..<1, using: &generator))]
  }

  /// What a run under a policy of ``policies`` came to.
  package mutating func reward(_ policy: JitterPolicy, newPairs: Int, seconds: Double) {
    guard let index = outcomes.firstIndex(where: { $0.policy == policy }) else { return }
    outcomes[index].runs += 1
    outcomes[index].newPairs += newPairs
    bandit.reward(index, gain: Double(newPairs), cost: max(seconds, Self.shortestRun))
  }
}
