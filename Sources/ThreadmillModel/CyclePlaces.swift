/// Where the threads of a lock order cycle take their locks, by addresses: what a steered run aims
/// at, and what its deadlock is compared with.
///
/// Stacks are innermost first, cut to the frames that tell places apart, a recursion's repeats left
/// out. They end with the innermost of the user's frames that follow each other: how a library came
/// to call those is chance, as the way in which a worker of libdispatch got its block.
package struct CyclePlaces: Hashable, Sendable {
  /// How many frames of a stack count.
  package static let frames = 8
  /// The longest cycle that a run can be steered into.
  package static let longest = 8

  package struct Edge: Hashable, Sendable {
    /// Where the thread took what it holds; empty where that is not known.
    package var outer: [UInt64]
    /// Where it takes the next one.
    package var inner: [UInt64]

    package init(outer: [UInt64], inner: [UInt64]) {
      self.outer = outer
      self.inner = inner
    }
  }

  /// In the order of the cycle: each waits for what the next one holds.
  package var edges: [Edge]

  package init(edges: [Edge]) { self.edges = edges }

  /// `nil` if the finding's threads do not wait for each other all around, if there are too many of
  /// them, or if one of them has no stack.
  package init?(of cycle: Finding) {
    let threads = cycle.participants
    guard (2...Self.longest).contains(threads.count) else { return nil }
    var edges: [Edge] = []
    for (previous, thread) in zip(threads.suffix(1) + threads.dropLast(), threads) {
      guard let hold = thread.hold(of: previous.wants), !thread.frames.isEmpty else { return nil }
      edges.append(Edge(outer: hold.frames.places, inner: thread.frames.places))
    }
    self.edges = edges
  }

  /// The threads of a deadlock in the order of the cycle's; `nil` if it is another deadlock.
  package func order(_ deadlock: Finding) -> [Finding.Participant]? {
    let threads = deadlock.participants
    guard threads.count == edges.count else { return nil }
    return threads.indices.lazy.map { Array(threads[$0...] + threads[..<$0]) }
      .first { isReached(by: $0) }
  }

  /// Whether a deadlock is this one, as far as that is known: not every thread of it has a stack of
  /// where it waits, but of where it took what it holds.
  package func isBehind(_ deadlock: Finding) -> Bool {
    if order(deadlock) != nil { return true }
    let taken = deadlock.participants.flatMap(\.holds).compactMap(\.frames.places.first)
    return taken.count == edges.count && Set(taken) == Set(edges.compactMap(\.outer.first))
  }

  private func isReached(by threads: [Finding.Participant]) -> Bool {
    zip(edges, zip(threads.suffix(1) + threads.dropLast(), threads)).allSatisfy { edge, pair in
      guard let hold = pair.1.hold(of: pair.0.wants) else { return false }
      return edge.outer.first == hold.frames.places.first
        && edge.inner.isSamePlace(as: pair.1.frames.places)
    }
  }
}

extension [UInt64] {
  /// One stack may have lost its end.
  fileprivate func isSamePlace(as other: Self) -> Bool {
    let shared = Swift.min(count, other.count)
    return shared > 0 && prefix(shared) == other.prefix(shared)
  }
}

extension Backtrace {
  /// Several frames of one address were inlined into each other.
  fileprivate var places: [UInt64] {
    var places: [UInt64] = []
    var isUsers = false
    for frame in self {
      if frame.isSystem, isUsers { break }
      isUsers = !frame.isSystem
      if frame.address != places.last { places.append(frame.address) }
    }
    return [UInt64](places.prefix(CyclePlaces.frames))
  }
}

extension Finding.Participant {
  fileprivate func hold(of lock: LockID?) -> Finding.HeldObject? {
    lock.flatMap { lock in holds.first { $0.object == lock } }
  }
}
