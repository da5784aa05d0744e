import ThreadmillModel

/// The strand with the highest of random priorities goes, and at a few random steps the one that
/// would go falls behind all others.
///
/// S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A Randomized Scheduler with
/// Probabilistic Guarantees of Finding Bugs", ASPLOS 2010: of `n` strands that make `k` steps, a
/// bug that takes `d` orderings is hit with a probability of at least 1 / (n · k^(d-1)).
///
/// Differences:
/// * `k` is not given; it is the length of the longest schedule so far that came to an end. The
///   first schedule, which has none before it, has priorities and no changes.
/// * The number of strands is not given: a strand that appears draws a priority among all others.
/// * `k` counts the steps at which there is a choice, and that do more than give the processor up:
///   those are the ones at which priorities change.
/// * A strand that gives the processor up falls behind all others, or a loop that spins would
///   never end.
package struct PCT: Strategy {
  /// The ranks of the changes lie above this, and whoever gives the processor up, below.
  private static let middle: UInt64 = 1 << 32

  private struct Change {
    var step: Int
    var rank: UInt64
  }

  package let depth: Int
  private var chance: Chance
  private var priorities = Priorities(behind: Self.middle)
  /// By step.
  private var changes: [Change] = []
  private var nextChange = 0
  private var steps = 0
  private var longest = 0

  /// - Parameter depth: how many orderings the bugs take that are looked for, at least 1.
  package init(depth: Int, seed: Seed) {
    precondition(depth >= 1, "a depth of \(depth)")
    self.depth = depth
    chance = Chance(seed, salt: 2 + UInt64(depth) << 8)
  }

  /// Makes known that a schedule, of whatever strategy, had so many steps.
  mutating func learn(steps: Int) { longest = max(longest, steps) }

  package mutating func begin(schedule number: Int) -> Bool {
    chance.begin(schedule: number)
    priorities.reset()
    changes.removeAll(keepingCapacity: true)
    (steps, nextChange) = (0, 0)
    if longest > 0 {
      for rank in 1..<depth {
        changes.append(Change(step: 1 + chance.below(longest), rank: Self.middle + UInt64(rank)))
      }
      changes = changes.inOrder { ($0.step, $0.rank) < ($1.step, $1.rank) }
    }
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    guard enabled.count > 1 else {
      fallBack(enabled[0])
      return 0
    }
    var best = priorities.highest(enabled, drawingFrom: &chance)
    while nextChange < changes.count, changes[nextChange].step == steps + 1 {
      priorities.set(enabled[best].strand, to: changes[nextChange].rank)
      nextChange += 1
      best = priorities.highest(enabled, drawingFrom: &chance)
    }
    if !fallBack(enabled[best]) { steps += 1 }
    return best
  }

  /// - Returns: whether the strand has given the processor up.
  @discardableResult
  private mutating func fallBack(_ step: Offer) -> Bool {
    guard step.operation == .yield else { return false }
    priorities.fallBack(step.strand)
    return true
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {
    if outcome != .cut { learn(steps: steps) }
  }
}
