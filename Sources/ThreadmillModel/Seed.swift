/// The number that all random choices of a run are derived from.
package struct Seed: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
  package var description: String { String(rawValue) }

  /// A random seed.
  package static var random: Seed { Seed(rawValue: .random(in: .min ... .max)) }

  /// The seed of the run with this number, counted from 0: as good as a random one, and always the
  /// same. The run with number 0 has another seed than what all are derived from.
  package static func derived(from seed: Seed, _ index: Int) -> Seed {
    var generator = SplitMix64(seed: seed)
    generator.skip(UInt64(bitPattern: Int64(index)))
    return Seed(rawValue: generator.next())
  }
}

/// A sequence of numbers from a seed (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init(seed: Seed) { state = seed.rawValue }

  /// Goes on as if so many numbers had been taken.
  package mutating func skip(_ count: UInt64) { state &+= count &* Self.step }

  package mutating func next() -> UInt64 {
    state &+= Self.step
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
