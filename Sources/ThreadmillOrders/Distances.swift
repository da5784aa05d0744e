import ThreadmillModel

/// The least number of edges between a node and a target, within the target's component.
package struct Distances {
  private static let unreachable = Int.max / 2

  private var exact: [LockID: Int] = [:]
  /// Every node that is not in `exact` is at least this far away.
  private var horizon = 0
  /// Edges looked at.
  package private(set) var steps = 0

  package init() {}

  /// Looks backwards from `target`, no farther than `limit`, along at most about `steps` edges.
  package init(
    to target: LockID, in order: ComponentOrder, within limit: Int, steps: Int
  ) {
    exact = [target: 0]
    var ring = [target]
    while !ring.isEmpty, horizon < limit {
      horizon += 1
      var next: [LockID] = []
      let nodes = ring.lazy.compactMap { order.nodes[$0] }
      let edges = nodes.flatMap { node in node.predecessors.lazy.map { (node, $0) } }
      for (node, previous) in edges {
        guard self.steps < steps else { return }
        self.steps += 1
        let isInside = order.nodes[previous]?.component == node.component
        guard isInside, exact[previous] == nil else { continue }
        exact[previous] = horizon
        next.append(previous)
      }
      ring = next
    }
    if ring.isEmpty { horizon = Self.unreachable }
  }

  package func atLeast(from node: LockID) -> Int { exact[node] ?? horizon }

  /// The nodes whose distance is known.
  package var known: Set<LockID> { Set(exact.keys) }

  /// Whether every other node has no way to the target.
  package var isComplete: Bool { horizon == Self.unreachable }
}
