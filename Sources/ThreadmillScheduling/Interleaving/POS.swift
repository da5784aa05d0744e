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
  private var chance: Chance
  /// Of what a strand is about to do.
  private var priorities = Priorities()

  package init(seed: Seed) { chance = Chance(seed, salt: 3) }

  package mutating func begin(schedule number: Int) -> Bool {
    chance.begin(schedule: number)
    priorities.reset()
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    let best = priorities.highest(enabled, drawingFrom: &chance)
    take(enabled[best], enabled)
    return best
  }

  /// Chooses in the same way, but is led to states that few schedules came to, which the paper does
  /// not have.
  mutating func next(_ enabled: UnsafeBufferPointer<Offer>, _ visited: VisitedStates) -> Int {
    let best = priorities.highest(enabled, drawingFrom: &chance, visited)
    take(enabled[best], enabled)
    return best
  }

  private mutating func take(_ chosen: Offer, _ enabled: UnsafeBufferPointer<Offer>) {
    if chosen.operation == .yield {
      priorities.fallBack(chosen.strand)
    } else {
      priorities.forget(chosen.strand)
    }
    for offer in enabled where offer.races(with: chosen) { priorities.forget(offer.strand) }
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {}
}
