import ThreadmillModel

/// Random priorities of strands, each drawn when it is first compared with others.
///
/// A strand that gives the processor up falls behind all others. So does a new one whose first step
/// is to do so: it goes on with what another strand has given up (`Task.yield`).
struct Priorities: Sendable {
  /// Those that were drawn have this bit; those that are set lie below.
  static let drawn: UInt64 = 1 << 63
  private static let (new, forgotten): (UInt64, UInt64) = (0, 1)

  /// Priorities of strands that have fallen back lie below this, the latest one lowest.
  private let behind: UInt64
  private var fallen: UInt64 = 0
  private var values = PerStrand<UInt64>(Self.new)

  /// - Parameter behind: lies below what `set` sets.
  init(behind: UInt64 = Self.drawn) { self.behind = behind }

  mutating func reset() {
    values.reset()
    fallen = 0
  }

  mutating func set(_ strand: UInt32, to priority: UInt64) { values[strand] = priority }

  /// It draws another one when it is compared next.
  mutating func forget(_ strand: UInt32) { values[strand] = Self.forgotten }

  mutating func fallBack(_ strand: UInt32) {
    fallen += 1
    values[strand] = behind - fallen
  }

  /// The index of the one with the highest.
  @inline(__always)
  mutating func highest(
    _ enabled: UnsafeBufferPointer<Offer>, drawingFrom chance: inout Chance
  ) -> Int {
    var best = 0
    var highest: UInt64 = 0
    for index in enabled.indices {
      let priority = priority(of: enabled[index], drawingFrom: &chance)
      if priority > highest { (best, highest) = (index, priority) }
    }
    return best
  }

  /// The index of the one that is drawn if each drawn priority is the draw of a strand with a
  /// weight. The weight is 1, divided by the square of one more than the visits of the state in
  /// which the step ends. Without visits, it is the one with the highest. Those that have fallen
  /// back stay behind all others; they must have begun right below what is drawn.
  ///
  /// P. S. Efraimidis, P. G. Spirakis, "Weighted random sampling with a reservoir", Information
  /// Processing Letters 97, 2006: the greatest of `u ^ (1 / weight)`, here of its logarithm.
  mutating func highest(
    _ enabled: UnsafeBufferPointer<Offer>, drawingFrom chance: inout Chance,
    _ visited: VisitedStates
  ) -> Int {
    var best = 0
    var highest = -Double.infinity
    for index in enabled.indices {
      let priority = priority(of: enabled[index], drawingFrom: &chance)
      let key: Double
      if priority >= Self.drawn {
        let visits = Double(1 + visited.visits(after: enabled[index]))
        key = Self.logarithm(of: priority - Self.drawn + 1) * visits * visits
      } else {
        // Less than 256 times 256 times -63, the least key of one that was drawn.
        key = -0x1p22 - Double(Self.drawn - priority)
      }
      if key > highest { (best, highest) = (index, key) }
    }
    return best
  }

  /// The logarithm to base 2 of a number from 1 to 2^63, divided by 2^63. Unlike that of the C
  /// library, it is the same on all machines. It grows with the number, and is exact to 0.00003.
  static func logarithm(of number: UInt64) -> Double {
    let value = Double(number)
    let ratio = (value.significand - 1) / (value.significand + 1)
    let square = ratio * ratio
    let series = 1 + square * (1 / 3.0 + square * (1 / 5.0 + square / 7))
    return Double(value.exponent) - 63 + ratio * series * 2.8853900817779268
  }

  /// Draws it if there is none.
  @inline(__always)
  private mutating func priority(of offer: Offer, drawingFrom chance: inout Chance) -> UInt64 {
    let priority = values[offer.strand]
    if priority > Self.forgotten { return priority }
    return draw(offer, isNew: priority == Self.new, from: &chance)
  }

  private mutating func draw(_ offer: Offer, isNew: Bool, from chance: inout Chance) -> UInt64 {
    if isNew, offer.operation == .yield {
      fallBack(offer.strand)
    } else {
      values[offer.strand] = chance.number() | Self.drawn
    }
    return values[offer.strand]
  }
}
