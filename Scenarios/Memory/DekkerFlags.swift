import Synchronization

extension Scenario {
  /// Two cars at a narrow bridge: each shows its sign, then looks for the other's.
  ///
  /// **What people write.** Store the own sign with `.releasing`, load the other one with
  /// `.acquiring`. At least one of the two must see the other's sign, it seems.
  ///
  /// **Why it breaks.** A releasing store and a later acquiring load of another variable may change
  /// places. Every processor does that, also one from Intel: the store waits in a buffer.
  ///
  /// **How it shows.** Seldom: both cars on the bridge. No race detector says a word, because all
  /// accesses are atomic.
  ///
  /// **Repair.** Store and load with `.sequentiallyConsistent`: these have one order that all
  /// threads agree on.
  static let dekkerFlags = Scenario(
    id: "dekker-flags", fault: .memory,
    summary: "Two threads announce themselves and look for each other, with acquire and release.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let bridge = Bridge()
      onThreads({ bridge.crossFromNorthWeakly() }, { bridge.crossFromSouthWeakly() })
      demand(bridge.mostCars, equals: 1)
    },
    repaired: {
      let bridge = Bridge()
      onThreads({ bridge.crossFromNorth() }, { bridge.crossFromSouth() })
      demand(bridge.mostCars, equals: 1)
    })
}

private final class Bridge: Sendable {
  private let (north, south) = (Sign(), Sign())
  private let cars = Atomic(0)

  /// Neither may cross, or one.
  var mostCars: Int { max(1, cars.load(ordering: .relaxed)) }

  func crossFromNorthWeakly() { if north.isAloneWeakly(beside: south) { drive() } }
  func crossFromSouthWeakly() { if south.isAloneWeakly(beside: north) { drive() } }
  func crossFromNorth() { if north.isAlone(beside: south) { drive() } }
  func crossFromSouth() { if south.isAlone(beside: north) { drive() } }

  private func drive() { cars.add(1, ordering: .relaxed) }
}

private final class Sign: Sendable {
  private let isShown = Atomic(false)

  func isAloneWeakly(beside other: Sign) -> Bool {
    isShown.store(true, ordering: .releasing)
    return !other.isShown.load(ordering: .acquiring)
  }

  func isAlone(beside other: Sign) -> Bool {
    isShown.store(true, ordering: .sequentiallyConsistent)
    return !other.isShown.load(ordering: .sequentiallyConsistent)
  }
}
