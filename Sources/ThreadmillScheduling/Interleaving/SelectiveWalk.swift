import ThreadmillModel

/// Every order of the steps that use some of the shared objects is as likely as any other: a strand
/// is drawn for the next one of these steps, and the others are held at theirs. All other steps are
/// chosen by ``UniformRandomWalk``, led to states that few schedules came to.
///
/// H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, "Selectively Uniform Concurrency Testing",
/// ASPLOS 2025, algorithm SURW.
///
/// Differences:
/// * One schedule selects objects of one kind, another one all that are shared. Objects that the
///   same places use are of one kind (``ReadsFrom``).
/// * The steps that are left are estimated by the mean of the schedules so far, where the paper
///   has one run before all others for that.
/// * If the drawn strand makes no such step for a while, another one is drawn.
struct SelectiveWalk: Sendable {
  private struct Strand: Sendable {
    var isMet = false
    /// The selected steps that it and what it starts are still to make, as far as estimated.
    var left = 0.0
    /// How likely it is to be drawn, in proportion to the others.
    var share = 0.0
  }

  /// So many steps the drawn strand is waited for.
  private static let patience = 50
  /// A strand to which less is left has probably made its last selected step.
  private static let least = 0.25

  private var chance: Chance
  /// By role: the steps at shared objects, of its own and of what it started, added up over the
  /// schedules learnt from.
  private var learnt: [[ReadsFrom.Event: Int]] = []
  private var schedules = 0

  private var selected: Set<ReadsFrom.Event> = []
  private var strands = PerStrand(Strand())
  /// In the order in which they appeared.
  private var order: [UInt32] = []
  /// Who is to make the next selected step; `nil` if nobody was drawn yet.
  private var drawn: UInt32?
  /// The steps since it was drawn.
  private var waited = 0
  /// The steps that may be chosen now.
  private var free = FreeSteps()

  init(seed: Seed) { chance = Chance(seed, salt: 8) }

  mutating func begin(schedule number: Int, _ known: ReadsFrom) {
    chance.begin(schedule: number)
    strands.reset()
    order.removeAll(keepingCapacity: true)
    (drawn, waited) = (nil, 0)
    selected =
      chance.below(2) == 0
      ? chance.one(of: known.kinds) ?? [] : known.kinds.reduce([]) { $0.union($1) }
  }

  /// - Parameter uniform: chooses among those that are not held; takes no step.
  mutating func next(
    _ enabled: UnsafeBufferPointer<Offer>, _ uniform: inout UniformRandomWalk,
    _ visited: VisitedStates
  ) -> Int {
    uniform.meet(enabled)
    for offer in enabled where !strands[offer.strand].isMet { appear(offer.strand, uniform) }
    let index = enabled.count == 1 ? 0 : choose(enabled, &uniform, visited)
    take(enabled[index])
    return index
  }

  private mutating func choose(
    _ enabled: UnsafeBufferPointer<Offer>, _ uniform: inout UniformRandomWalk,
    _ visited: VisitedStates
  ) -> Int {
    if drawn == nil || waited > Self.patience {
      draw(among: order.filter { strands[$0].left > Self.least }, enabled, visited)
    }
    let (drawn, selected) = (drawn, selected)
    free.gather(enabled) { $0.strand != drawn && Self.uses(selected, $0) }
    if !free.steps.isEmpty {
      return free.places[free.steps.withUnsafeBufferPointer { uniform.draw($0, visited) }]
    }
    draw(among: enabled.map(\.strand), enabled, visited)
    return enabled.firstIndex { $0.strand == self.drawn } ?? 0
  }

  private static func uses(_ selected: Set<ReadsFrom.Event>, _ step: Offer) -> Bool {
    step.object != 0 && step.operation != .goOn && step.operation != .unlock
      && selected.contains(ReadsFrom.event(of: step))
  }

  private mutating func take(_ step: Offer) {
    waited += 1
    guard Self.uses(selected, step) else { return }
    strands[step.strand].left -= 1
    drawn = nil
  }

  /// Draws the strand that makes the next selected step: one to which twice as many are left is
  /// twice as likely. The more schedules have been where that step ends, the less likely it is.
  private mutating func draw(
    among candidates: [UInt32], _ enabled: UnsafeBufferPointer<Offer>, _ visited: VisitedStates
  ) {
    waited = 0
    for number in candidates { strands[number].share = max(0, strands[number].left) }
    for step in enabled where Self.uses(selected, step) {
      let visits = Double(1 + visited.visits(after: step))
      strands[step.strand].share /= visits * visits * visits
    }
    var draw = chance.fraction() * candidates.reduce(0) { $0 + strands[$1].share }
    drawn = candidates.first { number in
      draw -= strands[number].share
      return draw < 0
    }
    drawn = drawn ?? chance.one(of: candidates)
  }

  /// Who appears takes its share from who started it, and may be meant where that one was drawn.
  private mutating func appear(_ number: UInt32, _ uniform: UniformRandomWalk) {
    let own = estimate(of: uniform.role(of: number))
    strands[number] = Strand(isMet: true, left: own)
    order.append(number)
    guard let parent = uniform.parent(of: number) else { return }
    let both = strands[parent].left
    strands[parent].left -= own
    if drawn == parent, chance.fraction() * max(0, both) < own { drawn = number }
  }

  private func estimate(of role: Int?) -> Double {
    guard let role, role < learnt.count else { return 0 }
    let steps = learnt[role].reduce(0) { $0 + (selected.contains($1.key) ? $1.value : 0) }
    return Double(steps) / Double(schedules)
  }

  /// The schedule is over: learns from it. A run that was cut says little about how long things
  /// take.
  mutating func ended(
    _ outcome: ScheduleOutcome, _ points: SharedPoints, _ uniform: UniformRandomWalk
  ) {
    guard outcome != .cut || schedules == 0 else { return }
    schedules += 1
    for step in points.log where points.use(of: step.object).isShared {
      guard step.operation != .unlock else { continue }
      let event = ReadsFrom.event(of: step)
      var next: UInt32? = step.strand
      while let strand = next, let role = uniform.role(of: strand) {
        learn(event, of: role)
        next = uniform.parent(of: strand)
      }
    }
  }

  private mutating func learn(_ event: ReadsFrom.Event, of role: Int) {
    if role >= learnt.count {
      learnt += Array(repeating: [:], count: role + 1 - learnt.count)
    }
    learnt[role][event, default: 0] += 1
  }
}
