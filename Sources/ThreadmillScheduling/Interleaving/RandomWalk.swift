import ThreadmillModel

/// Any strand that can go on is as likely as any other, at every step.
///
/// What everything else is measured against, as in P. Thomson, A. F. Donaldson, A. Betts,
/// "Concurrency Testing Using Controlled Schedulers: An Empirical Study", TOPC 2016, section 2.
package struct RandomWalk: Strategy {
  private var chance: Chance

  package init(seed: Seed) { chance = Chance(seed, salt: 1) }

  package mutating func begin(schedule number: Int) -> Bool {
    chance.begin(schedule: number)
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    enabled.count == 1 ? 0 : chance.below(enabled.count)
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {}
}
