import Synchronization

extension Scenario {
  /// A position of two numbers behind a sequence lock: readers take no lock, and look twice at a
  /// version.
  ///
  /// **What people write.** The writer makes the version odd, writes both numbers, and makes the
  /// version even. A reader takes the version, both numbers, and the version again, and tries once
  /// more if the two differ or are odd.
  ///
  /// **Why it breaks.** Without fences, the numbers may be written before the version is odd, and
  /// read after the version was looked at for the second time.
  ///
  /// **How it shows.** On ARM, a position with the old x and the new y.
  ///
  /// **Repair.** A releasing fence behind the odd version, and an acquiring one before the second
  /// look.
  static let sequenceLock = Scenario(
    id: "sequence-lock", fault: .memory,
    summary: "A sequence lock has no fences around what it guards.",
    expectations: [
      .flawed: .init(
        .ends, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let position = Position()
      onThreads(
        { position.moveWithoutFence(to: 5) },
        { if let (x, y) = position.lookWithoutFence() { demand(x, equals: y) } })
    },
    repaired: {
      let position = Position()
      onThreads(
        { position.move(to: 5) },
        { if let (x, y) = position.look() { demand(x, equals: y) } })
    })
}

private final class Position: Sendable {
  private let version = Atomic(0)
  private let (x, y) = (Coordinate(), Coordinate())

  func moveWithoutFence(to place: Int) {
    version.store(1, ordering: .relaxed)
    write(place)
    version.store(2, ordering: .releasing)
  }

  func move(to place: Int) {
    version.store(1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    write(place)
    version.store(2, ordering: .releasing)
  }

  /// `nil` if somebody moves it.
  func lookWithoutFence() -> (Int, Int)? {
    let before = version.load(ordering: .acquiring)
    let seen = (x.read(), y.read())
    let isSteady = before % 2 == 0 && version.load(ordering: .relaxed) == before
    return isSteady ? seen : nil
  }

  /// `nil` if somebody moves it.
  func look() -> (Int, Int)? {
    let before = version.load(ordering: .acquiring)
    let seen = (x.read(), y.read())
    atomicMemoryFence(ordering: .acquiring)
    let isSteady = before % 2 == 0 && version.load(ordering: .relaxed) == before
    return isSteady ? seen : nil
  }

  private func write(_ place: Int) {
    x.write(place)
    y.write(place)
  }
}

private final class Coordinate: Sendable {
  private let value = Atomic(0)

  func read() -> Int { value.load(ordering: .relaxed) }
  func write(_ new: Int) { value.store(new, ordering: .relaxed) }
}
