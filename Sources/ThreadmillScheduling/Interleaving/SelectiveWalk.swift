import ThreadmillModel

/// Makes every order of some steps as likely as any other: of those that use some of the shared
/// objects. A strand is drawn for the next one of these steps, and the others are held at theirs.
/// All other steps are chosen by ``UniformRandomWalk``. Both choices are led: what ends in a state
/// that many schedules came to is chosen less often.
///
/// H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, "Selectively Uniform Concurrency Testing",
/// ASPLOS 2025, algorithm SURW.
///
/// Differences:
/// * One schedule selects objects of one kind, another one all that are shared. Objects that the
///   same places use are of one kind (``ReadsFrom``).
/// * The steps that are left are estimated by the mean of the schedules so far, where the paper
///   has one run before all others for that.
/// * If only held strands can go on, or the drawn one makes no such step for long, another one is
///   drawn.
struct SelectiveWalk: Sendable {
  private struct Strand: Sendable {
    var isMet = false
    /// The selected steps that it and what it starts are still to make, as far as estimated.
    var left = 0.0
    /// Its weight in the present draw.
    var share = 0.0
  }

  /// After this many steps, another strand is drawn.
  private static let patience = 500
  /// A strand with less left than this has probably made its last selected step.
  private static let least = 0.25

  private var chance: Chance
  /// By role: its steps that use shared objects, added up over the schedules learnt from.
  private var learnt: [[ReadsFrom.Event: Int]] = []
  private var schedules = 0

  private var selected: Set<ReadsFrom.Event> = []
  /// By role: the selected steps of its own and of what it starts, as far as estimated.
  private var expected: [Double] = []
  private var strands = PerStrand(Strand())
  /// In the order in which they appeared.
  private var order: [UInt32] = []
  /// The strand that is to make the next selected step; `nil` until one is drawn.
  private var drawn: UInt32?
  /// The steps since it was drawn.
  private var waited = 0
  /// As long as there is one strand, whatever it does comes before all others.
  private var isAlone = true
  /// The steps that may be chosen now.
  private var free = FreeSteps()

  init(seed: Seed) { chance = Chance(seed, salt: 8) }

  mutating func begin(
    schedule number: Int, _ known: ReadsFrom, _ uniform: UniformRandomWalk
  ) -> Bool {
    chance.begin(schedule: number)
    strands.reset()
    order.removeAll(keepingCapacity: true)
    (drawn, waited, isAlone) = (nil, 0, true)
    selected = chance.below(2) == 0 ? chance.one(of: known.kinds) ?? [] : known.uses
    expected = learnt.map { steps in
      let sum = steps.reduce(0) { selected.contains($1.key) ? $0 + $1.value : $0 }
      return Double(sum) / Double(schedules)
    }
    for role in expected.indices.reversed() {
      if let parent = uniform.parents[role] { expected[parent] += expected[role] }
    }
    return true
  }

  /// - Parameter uniform: chooses among those that are not held; takes no step.
  mutating func next(
    _ enabled: UnsafeBufferPointer<Offer>, _ uniform: inout UniformRandomWalk,
    _ visited: VisitedStates
  ) -> Int {
    uniform.meet(enabled)
    for offer in enabled where !strands[offer.strand].isMet { appear(offer.strand, uniform) }
    if enabled.count > 1 { isAlone = false }
    let index = choose(enabled, &uniform, visited)
    take(enabled[index])
    return index
  }

  private mutating func choose(
    _ enabled: UnsafeBufferPointer<Offer>, _ uniform: inout UniformRandomWalk,
    _ visited: VisitedStates
  ) -> Int {
    let selected = selected
    guard enabled.count > 1, enabled.contains(where: { Self.uses(selected, $0) }) else {
      return uniform.draw(enabled, visited)
    }
    if drawn == nil || waited > Self.patience { draw(enabled, visited) }
    let drawn = drawn
    func isHeld(_ step: Offer) -> Bool { step.strand != drawn && Self.uses(selected, step) }
    guard enabled.contains(where: isHeld) else { return uniform.draw(enabled, visited) }
    free.gather(enabled, unless: isHeld)
    if !free.steps.isEmpty {
      return free.places[free.steps.withUnsafeBufferPointer { uniform.draw($0, visited) }]
    }
    draw(enabled, visited, onlyHeld: true)
    return enabled.firstIndex { $0.strand == self.drawn } ?? 0
  }

  private static func uses(_ selected: Set<ReadsFrom.Event>, _ step: Offer) -> Bool {
    ReadsFrom.use(of: step).map(selected.contains) ?? false
  }

  private mutating func take(_ step: Offer) {
    waited += 1
    guard !isAlone, Self.uses(selected, step) else { return }
    strands[step.strand].left -= 1
    drawn = nil
  }

  /// Draws the strand that makes the next selected step: one to which twice as many are left is
  /// twice as likely. Its weight is divided by the cube of the visits of the state in which its
  /// step ends. Other steps have the square; for these steps, the cube finds hard bugs sooner.
  ///
  /// - Parameter onlyHeld: whether only those are meant that stand at such a step.
  private mutating func draw(
    _ enabled: UnsafeBufferPointer<Offer>, _ visited: VisitedStates, onlyHeld: Bool = false
  ) {
    for number in order {
      let left = strands[number].left
      strands[number].share = onlyHeld || left < Self.least ? 0 : left
    }
    for step in enabled where Self.uses(selected, step) {
      let visits = Double(1 + visited.visits(after: step))
      strands[step.strand].share = max(1, strands[step.strand].left) / (visits * visits * visits)
    }
    var draw = chance.fraction() * order.reduce(0) { $0 + strands[$1].share }
    drawn = order.first { number in
      draw -= strands[number].share
      return draw < 0
    }
    waited = 0
  }

  /// A new strand takes its steps from the strand that started it. If that one was drawn, the turn
  /// goes to the new one with a chance in proportion.
  private mutating func appear(_ number: UInt32, _ uniform: UniformRandomWalk) {
    let own = uniform.role(of: number).map { $0 < expected.count ? expected[$0] : 0 } ?? 0
    strands[number] = Strand(isMet: true, left: own)
    order.append(number)
    guard let parent = uniform.parent(of: number) else { return }
    let both = strands[parent].left
    strands[parent].left -= own
    if drawn == parent, chance.fraction() * max(0, both) < own { drawn = number }
  }

  /// The schedule is over: learns from it. A run that was cut says little about how long things
  /// take.
  mutating func ended(
    _ outcome: ScheduleOutcome, _ points: SharedPoints, _ known: ReadsFrom,
    _ uniform: UniformRandomWalk
  ) {
    guard outcome != .cut || schedules == 0 else { return }
    schedules += 1
    for step in points.log {
      if let event = ReadsFrom.use(of: step), known.uses.contains(event),
        let role = uniform.role(of: step.strand)
      {
        learn(event, of: role)
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
