import ThreadmillModel

/// Chooses the stores that accesses see; see ``WeakMemory``. How often it is not the newest one is
/// drawn for each schedule, because a mistake may need one old value among many new ones.
struct StoreChoice {
  private var chance: Chance
  private var share = 0.0
  private static let shares = [0, 0.1, 0.25, 0.5]

  init(seed: Seed) { chance = Chance(seed, salt: 7) }

  mutating func begin(schedule number: Int) {
    chance.begin(schedule: number)
    share = Self.shares[chance.below(Self.shares.count)]
  }

  /// - Parameter count: at least 2.
  mutating func pick(_ count: Int) -> Int {
    guard chance.fraction() < share else { return 0 }
    return 1 + chance.below(count - 1)
  }
}
