import ThreadmillModel

/// Random priorities of strands, each drawn when it is first compared with others.
struct Priorities: Sendable {
  /// Those that were drawn have this bit; those that are set lie below.
  static let drawn: UInt64 = 1 << 63

  /// 0: not drawn yet.
  private var values = PerStrand<UInt64>(0)

  mutating func reset() { values.reset() }

  mutating func set(_ strand: UInt32, to priority: UInt64) { values[strand] = priority }

  /// It draws another one when it is compared next.
  mutating func forget(_ strand: UInt32) { values[strand] = 0 }

  /// It is drawn if it was not yet.
  @inline(__always)
  mutating func value(of strand: UInt32, drawingFrom chance: inout Chance) -> UInt64 {
    if values[strand] == 0 { values[strand] = chance.number() | Self.drawn }
    return values[strand]
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
      if candidate == 0 {
        candidate = chance.number() | Self.drawn
        values[enabled[index].strand] = candidate
      }
      if candidate > priority { (best, priority) = (index, candidate) }
    }
    return best
  }
}
