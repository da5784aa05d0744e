import Foundation
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

  /// The index of the one with the highest, after a priority was lowered by the visits of the
  /// state in which the step ends: the weight with which a strand is drawn is divided by their
  /// square. One that has fallen back stays behind all others.
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
        key = log(Double(priority - Self.drawn + 1) * 0x1p-63) * visits * visits
      } else {
        // Lower than any above, the least of which is that of 2^-63, multiplied by 2^16.
        key = -0x1p22 - Double(Self.drawn - priority)
      }
      if key > highest { (best, highest) = (index, key) }
    }
    return best
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
