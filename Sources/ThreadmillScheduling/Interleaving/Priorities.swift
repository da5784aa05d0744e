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
    var priority: UInt64 = 0
    for index in enabled.indices {
      var candidate = values[enabled[index].strand]
      if candidate <= Self.forgotten {
        candidate = draw(enabled[index], isNew: candidate == Self.new, from: &chance)
      }
      if candidate > priority { (best, priority) = (index, candidate) }
    }
    return best
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
