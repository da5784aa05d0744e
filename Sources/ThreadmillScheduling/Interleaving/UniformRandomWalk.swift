import ThreadmillModel

/// A strand is as likely to go as it has a share in the steps that are left: every interleaving of
/// strands that never wait is then as likely as any other, also if one makes a hundred steps and
/// the other two.
///
/// H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, "Selectively Uniform Concurrency Testing",
/// ASPLOS 2025, algorithm URW. What a strand starts counts as its own until it appears.
///
/// Differences:
/// * The steps that are left are estimated by the mean of the schedules so far, where the paper
///   has one run before all others for that. The first schedule is a random walk.
/// * A strand is known again by its path, that of who started it and its number among that one's
///   children: whichever appears first may be another one in the next schedule.
/// * What is selected is not a kind of event; it is told which steps count.
package struct UniformRandomWalk: Strategy {
  private struct Path: Hashable {
    /// The role of who started it; -1 for nobody.
    var parent: Int
    var child: Int
  }

  /// A strand of this schedule.
  private struct Strand {
    /// -1: did not appear yet.
    var role = -1
    /// Steps of its own; in the end, of what it started as well.
    var steps = 0
    /// What it has to do, as far as estimated; may be less than nothing.
    var left = 0
    var children = 0
    /// Who started it, by number and one more; 0 for nobody.
    var parent: UInt32 = 0
  }

  /// Shares are whole numbers: each is multiplied by this before it is divided by the square of the
  /// visits, which are 256 at most.
  private static let scale = 1 << 16

  private var chance: Chance
  /// The shares of the strands that can go on.
  private var shares: [Int] = []
  /// The strands with one path each are one role, numbered as they appear.
  private var roles: [Path: Int] = [:]
  /// By role: steps of its own and of what it started, added up over the schedules learnt from.
  private var learnt: [Int] = []
  /// By role: the role of the strand that started it; `nil` for none.
  private(set) var parents: [Int?] = []
  private var schedules = 0

  private var strands = PerStrand(Strand())
  /// In the order in which they appeared.
  private var order: [UInt32] = []
  private var orphans = 0
  /// Who made the last step, by number and one more, if that started something.
  private var starter: UInt32 = 0

  package init(seed: Seed) { chance = Chance(seed, salt: 4) }

  package mutating func begin(schedule number: Int) -> Bool {
    chance.begin(schedule: number)
    strands.reset()
    order.removeAll(keepingCapacity: true)
    (orphans, starter) = (0, 0)
    return true
  }

  package mutating func next(_ enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int {
    let chosen = draw(enabled)
    note(enabled, chosen: chosen)
    return chosen
  }

  /// Learns which strands there are.
  @inline(__always)
  mutating func meet(_ enabled: UnsafeBufferPointer<Offer>) {
    for offer in enabled where strands[offer.strand].role < 0 { appear(offer.strand) }
  }

  /// The number under which a strand is known again in another schedule; `nil` if it did not appear
  /// yet. It is greater than that of the strand that started it.
  func role(of strand: UInt32) -> Int? {
    let role = strands.value(strand).role
    return role < 0 ? nil : role
  }

  /// The strand that started this one; `nil` for none.
  func parent(of strand: UInt32) -> UInt32? {
    let parent = strands.value(strand).parent
    return parent == 0 ? nil : parent - 1
  }

  /// Takes a step that was chosen in whatever way.
  mutating func note(_ enabled: UnsafeBufferPointer<Offer>, chosen: Int) {
    meet(enabled)
    let step = enabled[chosen]
    strands[step.strand].steps += 1
    strands[step.strand].left -= 1
    starter = step.operation.starts ? step.strand + 1 : 0
  }

  /// Chooses one of those that can go on, or of some of them, without taking the step.
  mutating func draw(_ enabled: UnsafeBufferPointer<Offer>) -> Int {
    draw(enabled) { max(1, $1) }
  }

  /// Chooses in the same way, but the more schedules have been where a strand's step ends, the
  /// smaller is its share.
  mutating func draw(_ enabled: UnsafeBufferPointer<Offer>, _ visited: VisitedStates) -> Int {
    draw(enabled) { offer, left in
      let visits = 1 + visited.visits(after: offer)
      return max(1, max(1, left) * Self.scale / (visits * visits))
    }
  }

  /// - Parameter share: of an offer and the steps that are left to its strand.
  @inline(__always)
  private mutating func draw(
    _ enabled: UnsafeBufferPointer<Offer>, by share: (Offer, Int) -> Int
  ) -> Int {
    // Who appears takes its share from who started it, so that nothing is added up before.
    meet(enabled)
    if enabled.count == 1 { return 0 }
    shares.removeAll(keepingCapacity: true)
    for offer in enabled { shares.append(share(offer, strands[offer.strand].left)) }
    var draw = chance.below(shares.reduce(0, +))
    for (index, share) in shares.enumerated() {
      draw -= share
      if draw < 0 { return index }
    }
    return enabled.count - 1
  }

  /// A run that was cut says little about how long things take.
  package mutating func ended(_ outcome: ScheduleOutcome) {
    guard outcome != .cut || schedules == 0 else { return }
    schedules += 1
    // Whoever was started appeared after who started it.
    for number in order.reversed() {
      let strand = strands[number]
      learnt[strand.role] += strand.steps
      if strand.parent > 0 { strands[strand.parent - 1].steps += strand.steps }
    }
  }

  private mutating func appear(_ number: UInt32) {
    var path = Path(parent: -1, child: orphans)
    if starter > 0 {
      path = Path(parent: strands[starter - 1].role, child: strands[starter - 1].children)
      strands[starter - 1].children += 1
    } else {
      orphans += 1
    }
    let role = roles[path] ?? learnt.count
    if role == learnt.count {
      roles[path] = role
      learnt.append(0)
      parents.append(path.parent < 0 ? nil : path.parent)
    }
    let estimate = schedules == 0 ? 0 : (learnt[role] + schedules / 2) / schedules
    if starter > 0 { strands[starter - 1].left -= estimate }
    strands[number].role = role
    strands[number].left = estimate
    strands[number].parent = starter
    order.append(number)
  }
}

extension OperationKind {
  /// Whether a strand may appear by it. A task that yields goes on as another strand.
  var starts: Bool { self == .spawn || self == .submit || self == .yield }
}
