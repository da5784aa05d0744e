import Synchronization

extension Scenario {
  /// A free list of numbered places, as a stack with one atomic head.
  ///
  /// **What people write.** To take the top place, read it and the one below, and exchange the head
  /// if it is still the top. If the head has not changed, nothing has.
  ///
  /// **Why it breaks.** The head may have changed and changed back. Another thread took the top
  /// place and the one below, and gave the top back: the head is the same, and what was below is
  /// gone.
  ///
  /// **How it shows.** One place that two have at the same time, on a busy day. No order of memory
  /// helps; the name of the fault is ABA.
  ///
  /// **Repair.** A number beside the head that every exchange raises, so that a head never comes
  /// back.
  static let treiberStack = Scenario(
    id: "treiber-stack", fault: .memory,
    summary: "The head of a lock-free stack is compared, although it may have come back.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let (places, taken) = (Places(), Taken())
      onThreads(
        { taken.add(places.takeWithoutNumber()) },
        {
          let first = places.takeWithoutNumber()
          taken.add(places.takeWithoutNumber())
          if let first { places.giveBackWithoutNumber(first) }
        })
      while let place = places.takeWithoutNumber(), !taken.isFull { taken.add(place) }
      demand(taken.all, equals: [1, 2])
    },
    repaired: {
      let (places, taken) = (Places(), Taken())
      onThreads(
        { taken.add(places.take()) },
        {
          let first = places.take()
          taken.add(places.take())
          if let first { places.giveBack(first) }
        })
      while let place = places.take(), !taken.isFull { taken.add(place) }
      demand(taken.all, equals: [1, 2])
    })
}

/// Place 1 lies on place 2.
private final class Places: Sendable {
  private final class Below: Sendable {
    let place: Atomic<Int>
    init(_ place: Int) { self.place = Atomic(place) }
  }

  private let below = [Below(0), Below(2), Below(0)]
  /// The place on top, and above its lowest byte how often it has changed.
  private let head = Atomic(1)

  func takeWithoutNumber() -> Int? {
    while true {
      let top = head.load(ordering: .acquiring)
      guard top != 0 else { return nil }
      let next = below[top].place.load(ordering: .relaxed)
      if exchange(top, next) { return top }
    }
  }

  func giveBackWithoutNumber(_ place: Int) {
    while true {
      let top = head.load(ordering: .relaxed)
      below[place].place.store(top, ordering: .relaxed)
      if exchange(top, place) { return }
    }
  }

  func take() -> Int? {
    while true {
      let old = head.load(ordering: .acquiring)
      guard old & 255 != 0 else { return nil }
      let next = below[old & 255].place.load(ordering: .relaxed)
      if exchange(old, next | (old >> 8 + 1) << 8) { return old & 255 }
    }
  }

  func giveBack(_ place: Int) {
    while true {
      let old = head.load(ordering: .relaxed)
      below[place].place.store(old & 255, ordering: .relaxed)
      if exchange(old, place | (old >> 8 + 1) << 8) { return }
    }
  }

  private func exchange(_ old: Int, _ new: Int) -> Bool {
    head.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// The places that somebody has, whoever that is.
private final class Taken: Sendable {
  private let places = Mutex<[Int]>([])

  func add(_ place: Int?) { if let place { places.withLock { $0.append(place) } } }
  var all: [Int] { places.withLock { $0.sorted() } }
  var isFull: Bool { all.count > 2 }
}
