import ThreadmillModel

/// The states of the program that schedules came to, with the number of visits, so that the next
/// schedule can go to states that few have reached.
///
/// A state is what each strand has done and seen, and the last change of each object. Two orders of
/// steps that end in the same state go on in the same ways. Each round of a loop is a state of its
/// own.
///
/// S. Mukherjee, P. Deligiannis, A. Biswas, A. Lal, "Learning-Based Controlled Concurrency
/// Testing", OOPSLA 2020: states that were visited are avoided.
///
/// Differences:
/// * A state is a sum of what the steps tell, and no part of the program's memory. A look that sees
///   an older store counts as one that sees the newest.
/// * Visits are counted, and nothing is learnt of what lies behind a state.
struct VisitedStates: Sendable {
  /// A strand's part of the state.
  private struct Strand: Sendable {
    /// All that it has done and seen. 0: it did not appear yet.
    var history: UInt64 = 0
    var children: UInt64 = 0
  }

  /// The state after a step.
  private struct Change {
    var state: UInt64
    var strand: Strand
    /// The last change of the step's object.
    var last: UInt64
  }

  /// Different states with the same lowest bits are counted as one.
  private static let room = 1 << 16

  /// Whether steps name all memory that strands share. If not, every order of steps is a state of
  /// its own.
  private let seesMemory: Bool
  private var strands = PerStrand(Strand())
  /// By object: the last change.
  private var changes = PerStrand<UInt64>(0)
  private var state: UInt64 = 0
  private var orphans: UInt64 = 0
  /// The strand that made the last step, if that started something.
  private var starter: UInt32?

  /// Empty until the first visit.
  private var counts: [UInt8] = []
  /// The number of counts that are more than 0.
  private var used = 0

  init(seesMemory: Bool) { self.seesMemory = seesMemory }

  mutating func begin() {
    strands.reset()
    changes.reset()
    (state, orphans, starter) = (0, 0, nil)
  }

  /// The visits of the state in which the step ends; no more than 255.
  @inline(__always)
  func visits(after step: Offer) -> Int {
    counts.isEmpty ? 0 : Int(counts[Self.place(of: change(by: step).state)])
  }

  /// Learns which strands can go on.
  mutating func meet(_ enabled: UnsafeBufferPointer<Offer>) {
    for offer in enabled where strands[offer.strand].history == 0 { appear(offer.strand) }
  }

  /// Takes a step. `number` is the number of strands that could go on.
  mutating func take(_ step: Offer, among number: Int) {
    let change = change(by: step)
    state = change.state
    strands[step.strand] = change.strand
    changes[object(of: step)] = change.last
    starter = step.operation.starts ? step.strand : nil
    if number > 1 { count(Self.place(of: state)) }
  }

  private mutating func count(_ place: Int) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.room) }
    if counts[place] == 0 {
      // In a fuller table, too many different states share a place.
      if used == Self.room / 2 {
        for index in counts.indices { counts[index] = 0 }
        used = 0
      }
      used += 1
    }
    if counts[place] < .max { counts[place] += 1 }
  }

  private static func place(of state: UInt64) -> Int { Int(truncatingIfNeeded: state) & (room - 1) }

  private mutating func appear(_ strand: UInt32) {
    var path = Self.sum(0, orphans)
    if let starter {
      path = Self.sum(strands[starter].history, strands[starter].children)
      strands[starter].children += 1
    } else {
      orphans += 1
    }
    strands[strand].history = path
    state &+= path
  }

  /// 0 for a step without an object.
  private func object(of step: Offer) -> UInt32 {
    seesMemory && step.operation != .goOn ? UInt32(truncatingIfNeeded: step.object) : 0
  }

  private func change(by step: Offer) -> Change {
    let object = object(of: step)
    let last = changes.value(object)
    var change = Change(state: state, strand: strands.value(step.strand), last: last)
    let isShared = object != 0 || !seesMemory
    let looks = isShared && (step.operation != .write || !seesMemory)
    let event = Self.sum(
      UInt64(step.place) << 8 | UInt64(step.operation.rawValue), looks ? last : 0)
    change.strand.history = Self.sum(change.strand.history, event)
    change.state &+= change.strand.history &- strands.value(step.strand).history
    if isShared && (step.writes || !seesMemory) {
      change.last = Self.sum(change.strand.history, 1)
      change.state &+= change.last &- last
    }
    return change
  }

  /// A hash of the two numbers; their order matters.
  @inline(__always)
  private static func sum(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var word = SplitMix64(seed: Seed(rawValue: first ^ second &* 0xD6E8_FEB8_6659_FD93))
    return word.next()
  }
}
