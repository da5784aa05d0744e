import ThreadmillModel

/// Makes a failing schedule a simple one: with the fewest choices of the memory model that still
/// fail, then the fewest forced switches, the fewest switches, and the fewest steps.
///
/// First everything that can be left out is left out, by A. Zeller, R. Hildebrandt, "Simplifying
/// and Isolating Failure-Inducing Input", TSE 2002 (ddmin), over the forced switches. Then, where
/// nothing can be left out, fewer others are tried: another strand where one begins or waits, one
/// alone and two alone, where a strand is about to do what another one has to do with (M.
/// Musuvathi, S. Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded
/// Programs", PLDI 2007), and one at each point of the run instead of two. The same schedule and
/// the same answers give the same result.
package struct Shrinking {
  /// What it came to.
  package struct Result: Hashable, Sendable {
    package var schedule: Schedule
    /// How often the program was run for it.
    package var runs: Int
    /// The number of plans that were formed for it; most of them need no run.
    package var plans: Int
    /// Ended because of the limit; the schedule might have become simpler.
    package var isCutShort: Bool
  }

  /// Runs a plan; what was done if that failed in the same way, else `nil`.
  package typealias Attempt = (SwitchPlan) -> ScheduleRecorder?

  private let attempt: Attempt
  private let limit: Int
  private var runs = 0
  private var plans = 0
  private var isCutShort = false
  private var tried: Set<SwitchPlan> = []
  private var best: Schedule
  private var plan: SwitchPlan
  /// What is done in the best one; empty while it is the one that came in.
  private var steps: [Offer] = []

  /// - Parameters:
  ///   - schedule: one that fails.
  ///   - limit: so often the program is run at most.
  package static func shrink(
    _ schedule: Schedule, limit: Int = 1_000, attempt: Attempt
  ) -> Result {
    withoutActuallyEscaping(attempt) { attempt in
      var shrinking = Shrinking(schedule, limit: limit, attempt: attempt)
      shrinking.run()
      return Result(
        schedule: shrinking.best, runs: shrinking.runs, plans: shrinking.plans,
        isCutShort: shrinking.isCutShort)
    }
  }

  private init(_ schedule: Schedule, limit: Int, attempt: @escaping Attempt) {
    (self.attempt, self.limit) = (attempt, limit)
    (best, plan) = (schedule, SwitchPlan(schedule))
  }

  private mutating func run() {
    leaveOutPicks()
    _ = startElsewhere()
    leaveOut()
    while !isCutShort, replaceOneByNone() || startWithFew() || replaceTwoByOne() { leaveOut() }
    tidy()
    leaveOutPicks()
  }

  /// Takes it if it fails and is simpler than the best.
  private mutating func isBetter(_ candidate: SwitchPlan) -> Bool {
    plans += 1
    guard !isCutShort, candidate != plan, tried.insert(candidate).inserted else { return false }
    guard runs < limit else {
      isCutShort = true
      return false
    }
    runs += 1
    guard let run = attempt(candidate), Size(run.schedule) < Size(best) else { return false }
    (best, plan, steps) = (run.schedule, SwitchPlan(run.schedule), run.steps)
    return true
  }

  /// For what is done in the best one, where no other one has taken its place.
  private mutating func runAgain() {
    guard runs < limit else { return }
    runs += 1
    steps = attempt(plan)?.steps ?? []
  }

  // MARK: Leaving out

  /// Without any forced switch, from every strand on.
  private mutating func startElsewhere() -> Bool {
    if best.forcedSwitches == 0 { return false }
    let free = plan.switches.filter { !$0.isForced }
    var found = isBetter(SwitchPlan(first: plan.first, switches: free, picks: plan.picks))
    for first in strands where !found {
      found = isBetter(SwitchPlan(first: first, picks: plan.picks))
    }
    return found
  }

  /// The forced switches in parts, halves first, until each one is needed.
  private mutating func leaveOut() {
    var parts = 2
    while plan.forcedSwitches > 0, !isCutShort {
      let forced = plan.switches.indices.filter { plan.switches[$0].isForced }
      parts = min(parts, forced.count)
      let chunks = (0..<parts).map {
        forced[($0 * forced.count / parts)..<(($0 + 1) * forced.count / parts)]
      }
      if chunks.contains(where: { isBetter(without($0)) }) {
        parts = max(2, parts - 1)
      } else if parts == forced.count {
        return
      } else {
        parts *= 2
      }
    }
  }

  /// Lets accesses see the newest store, first all of them and then one after the other; or else a
  /// newer one.
  private mutating func leaveOutPicks() {
    var candidate = plan
    candidate.picks = []
    if plan.picks.isEmpty || isBetter(candidate) { return }
    for index in plan.picks.indices.reversed() where index < plan.picks.count {
      candidate = plan
      candidate.picks.remove(at: index)
      if isBetter(candidate) { continue }
      for choice in 1..<plan.picks[index].choice {
        candidate = plan
        candidate.picks[index].choice = choice
        if isBetter(candidate) { break }
      }
    }
  }

  private func without(_ indices: some Collection<Int>) -> SwitchPlan {
    var candidate = plan
    for index in indices.reversed() { candidate.switches.remove(at: index) }
    return candidate
  }

  // MARK: Replacing

  /// One forced switch, or two, and nothing else, where there were more.
  private mutating func startWithFew() -> Bool {
    if plan.forcedSwitches < 2 { return false }
    if steps.isEmpty { runAgain() }
    let (switches, others) = (switchesThatMatter, [[]] + elsewhere.map { [$0] })
    for free in others {
      for one in switches where isBetter(alone([one] + free)) { return true }
      if isCutShort { return false }
    }
    if plan.forcedSwitches < 3 { return false }
    let following = Dictionary(grouping: switches, by: \.from)
    for free in others {
      for one in switches {
        let next = following[one.to] ?? []
        for other in next where isBetter(alone([one, other] + free)) { return true }
        if isCutShort { return false }
      }
    }
    return false
  }

  private func alone(_ switches: [SwitchPlan.Switch]) -> SwitchPlan {
    SwitchPlan(first: plan.first, switches: switches, picks: plan.picks)
  }

  /// To another strand than now, where one has to wait.
  private var elsewhere: [SwitchPlan.Switch] {
    plan.switches.filter { !$0.isForced && $0.from != $0.to }.flatMap { free in
      strands.filter { $0 != free.to && $0 != free.from }
        .map { .init(from: free.from, after: free.after, to: $0, isForced: false) }
    }
  }

  /// Away from each strand that is about to do what other strands' steps race with.
  private var switchesThatMatter: [SwitchPlan.Switch] {
    let touched = Dictionary(grouping: Set(steps), by: \.object)
    var (made, switches): ([UInt32: Int], [SwitchPlan.Switch]) = ([:], [])
    for step in steps {
      let after = made[step.strand, default: 0]
      made[step.strand] = after + 1
      let others = Set((touched[step.object] ?? []).filter(step.races).map(\.strand))
      for to in others.sorted() where after > 0 {
        switches.append(.init(from: step.strand, after: after, to: to))
      }
    }
    return switches
  }

  /// One forced switch anywhere in the place of two.
  private mutating func replaceTwoByOne() -> Bool {
    let forced = plan.switches.indices.filter { plan.switches[$0].isForced }
    if forced.count < 2 { return false }
    let others = possibleSwitches
    for (position, first) in forced.enumerated() {
      for second in forced[(position + 1)...] {
        let rest = without([first, second])
        for other in others where isBetter(adding(other, to: rest)) { return true }
        if isCutShort { return false }
      }
    }
    return false
  }

  /// In the place of one, another strand to begin with, or to go on with where one has to wait.
  private mutating func replaceOneByNone() -> Bool {
    for index in plan.switches.indices where plan.switches[index].isForced {
      let rest = without([index])
      for first in strands where first != rest.first {
        var candidate = rest
        candidate.first = first
        if isBetter(candidate) { return true }
      }
      for other in elsewhere where isBetter(adding(other, to: rest)) { return true }
      if isCutShort { return false }
    }
    return false
  }

  private func adding(_ other: SwitchPlan.Switch, to rest: SwitchPlan) -> SwitchPlan {
    var candidate = rest
    candidate.switches.removeAll { $0.from == other.from && $0.after == other.after }
    candidate.switches.append(other)
    return candidate
  }

  /// From each strand to each other one, after each of its steps.
  private var possibleSwitches: [SwitchPlan.Switch] {
    var made: [UInt32: Int] = [:]
    for turn in best.turns { made[turn.strand, default: 0] += turn.length }
    let pairs = strands.flatMap { from in strands.map { (from, $0) } }
    var switches: [SwitchPlan.Switch] = []
    for (from, to) in pairs where from != to {
      for after in 1...(made[from] ?? 1) {
        switches.append(.init(from: from, after: after, to: to))
      }
    }
    return switches
  }

  private var strands: [UInt32] { Set(best.turns.map(\.strand)).sorted() }

  // MARK: Tidying

  /// Fewer switches that are not forced, and forced ones sooner or later in their strand.
  private mutating func tidy() {
    var goesOn = true
    while goesOn, !isCutShort {
      goesOn = false
      for index in plan.switches.indices.reversed() where index < plan.switches.count {
        let isForced = plan.switches[index].isForced
        let isSimpler = isForced ? moveForced(index) : isBetter(without([index]))
        goesOn = goesOn || isSimpler
      }
    }
  }

  private mutating func moveForced(_ index: Int) -> Bool {
    let old = plan.switches[index]
    let others = plan.switches.filter { $0.from == old.from && $0 != old }.map(\.after)
    let from = (others.filter { $0 < old.after }.max() ?? 0) + 1
    let to = others.filter { $0 > old.after }.min() ?? old.after
    for after in from...max(from, to) where after != old.after {
      var candidate = plan
      candidate.switches[index].after = after
      if isBetter(candidate) { return true }
    }
    return false
  }
}

/// What makes one schedule simpler than another.
private struct Size: Comparable {
  var picks: Int
  var forced: Int
  var turns: Int
  var steps: Int
  var age: Int

  init(_ schedule: Schedule) {
    picks = schedule.picks.count
    age = schedule.picks.reduce(0) { $0 + $1.choice }
    forced = schedule.forcedSwitches
    turns = schedule.turns.count
    steps = schedule.steps
  }

  static func < (a: Size, b: Size) -> Bool {
    (a.picks, a.forced, a.turns, a.steps, a.age) < (b.picks, b.forced, b.turns, b.steps, b.age)
  }
}
