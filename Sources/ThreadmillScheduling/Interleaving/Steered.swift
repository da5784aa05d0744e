import ThreadmillModel

/// A plan (``SwitchPlan``) as far as the program takes part in it, and the course of things
/// (``Course``) for the rest.
///
/// Where ``Replay`` wants the same run once more, this wants a run like it: what cannot be done is
/// left out.
package struct Steered: Strategy {
  package let plan: SwitchPlan
  /// The switches away from a strand, by the steps that it has made then.
  private var switches = PerStrand<[SwitchPlan.Switch]>([])
  /// Of a strand's switches those that are over.
  private var passed = PerStrand(0)
  private var made = PerStrand(0)
  private var last: UInt32?
  /// The strand that time passes for.
  private var awaited: UInt32?
  private let picks: [Place: Int]

  private struct Place: Hashable {
    var strand: UInt32
    var after: Int
  }

  /// The plan may be that of a schedule in which time passed, which it does not say.
  package var mayLetTimePass = false

  package init(_ plan: SwitchPlan) {
    self.plan = plan
    let picks = plan.picks.map { (Place(strand: $0.strand, after: $0.after), $0.choice) }
    self.picks = Dictionary(picks) { first, _ in first }
    for each in plan.switches { switches[each.from].append(each) }
    for each in Set(plan.switches.map(\.from)) {
      switches[each] = switches[each].inOrder { $0.after < $1.after }
    }
  }

  /// Every schedule is the same one.
  package mutating func begin(schedule number: Int) -> Bool {
    passed.reset()
    made.reset()
    (last, awaited) = (nil, nil)
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    let target = awaited ?? last.map { follower(of: $0, enabled, running) } ?? plan.first
    let index = target.flatMap { target in enabled.firstIndex { $0.strand == target } }
    awaited = mayLetTimePass && index == nil ? target : nil
    if awaited != nil { return Course.timePasses }
    let chosen = index ?? Course.next(enabled, running: running)
    let strand = enabled[chosen].strand
    made[strand] += 1
    last = strand
    return chosen
  }

  package mutating func pick(_ count: Int) -> Int {
    guard let last, !picks.isEmpty else { return 0 }
    let choice = picks[Place(strand: last, after: made.value(last))] ?? 0
    return min(choice, count - 1)
  }

  package mutating func ended(_ outcome: ScheduleOutcome) {}

  /// Who comes after a strand at this point, itself perhaps, as far as planned.
  private mutating func follower(
    of strand: UInt32, _ enabled: UnsafeBufferPointer<Offer>, _ running: Int?
  ) -> UInt32? {
    let steps = made[strand]
    while passed[strand] < switches[strand].count {
      let next = switches[strand][passed[strand]]
      // Until its next switch it goes on, even if it gives its turn up.
      if next.after > steps { return running == nil ? nil : strand }
      passed[strand] += 1
      if next.after < steps { continue }
      let isLeft = running.map { enabled[$0].operation == .yield } ?? true
      return next.isForced || isLeft ? next.to : nil
    }
    return nil
  }
}
