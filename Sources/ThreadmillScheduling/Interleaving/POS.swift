import ThreadmillModel

/// Every step that could be next has a random priority, and the highest goes. Then those draw
/// again that race with it: what does not matter is not tried again and again in other orders.
///
/// X. Yuan, J. Yang, R. Gu, "Partial Order Aware Concurrency Sampling", CAV 2018, algorithm POS.
///
/// Differences:
/// * Two steps race if they are done to the same object and one changes it, which includes taking
///   and leaving a lock, and signalling and waiting; the paper has accesses and locks.
/// * What comes after giving the processor up falls behind all others, or a loop that spins could
///   keep a step of low priority waiting for as long as it likes.
package struct POS: Strategy {
  /// Priorities that were drawn have this bit.
  private static let high: UInt64 = 1 << 63

  private var chance: Chance
  /// Of what a strand is about to do; 0: not drawn yet.
  private var priorities = PerStrand<UInt64>(0)
  private var yields: UInt64 = 0

  package init(seed: Seed) { chance = Chance(seed, salt: 3) }

  package mutating func begin(schedule number: Int) -> Bool {
    chance.begin(schedule: number)
    priorities.reset()
    yields = 0
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    var best = 0
    var priority: UInt64 = 0
    for index in enabled.indices {
      var candidate = priorities[enabled[index].strand]
      if candidate == 0 {
        candidate = chance.number() | Self.high
        priorities[enabled[index].strand] = candidate
      }
      if candidate > priority { (best, priority) = (index, candidate) }
    }
    let chosen = enabled[best]
    if chosen.operation == .yield { yields += 1 }
    priorities[chosen.strand] = chosen.operation == .yield ? Self.high - yields : 0
    for offer in enabled where offer.races(with: chosen) { priorities[offer.strand] = 0 }
    return best
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {}
}
