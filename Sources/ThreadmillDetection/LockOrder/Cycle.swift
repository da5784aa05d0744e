import ThreadmillModel
import ThreadmillOrders

/// The locks of a cycle, in the order in which they are nested, the one with the lowest identifier
/// first.
struct Cycle: Hashable, Comparable, Sendable {
  let locks: [LockID]

  /// `nil` if there are no locks.
  init?(_ locks: [LockID]) {
    guard let lowest = locks.indices.min(by: { locks[$0] < locks[$1] }) else { return nil }
    self.locks = Array(locks[lowest...] + locks[..<lowest])
  }

  /// The cycle that dependencies make, each of which waits for the next, and they in the cycle's
  /// order.
  static func closed(by chain: [Dependency]) -> (cycle: Cycle, chain: [Dependency])? {
    guard let cycle = Cycle(chain.map(\.edge.from)),
      let start = chain.firstIndex(where: { $0.edge.from == cycle.locks[0] })
    else { return nil }
    return (cycle, Array(chain[start...] + chain[..<start]))
  }

  var edges: [Edge] {
    zip(locks, locks.dropFirst() + locks.prefix(1)).map { Edge(from: $0, to: $1) }
  }

  /// Shorter ones first: they are easier to understand.
  static func < (a: Cycle, b: Cycle) -> Bool {
    if a.locks.count != b.locks.count { return a.locks.count < b.locks.count }
    return a.locks.lexicographicallyPrecedes(b.locks)
  }
}
