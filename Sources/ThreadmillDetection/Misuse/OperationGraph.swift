import ThreadmillModel
import ThreadmillOrders

/// Which operation waits for which.
///
/// A node goes when its operation does. What is found here is a candidate: Foundation may have
/// forgotten a dependency, or an operation may be past it, so the gate looks before anything is
/// said.
package struct OperationGraph: Sendable {
  private var order = ComponentOrder()
  private var dependencies: [Edge: OperationDependency] = [:]

  package init() {}

  /// How many dependencies are known.
  package var count: Int { dependencies.count }

  /// Adds what one operation was told; what is known already stays as it is. Returns whether the
  /// two may be on a cycle now; `false` is certain.
  package mutating func add(_ dependency: OperationDependency) -> Bool {
    let edge = Edge(from: dependency.from, to: dependency.to)
    guard edge.from != edge.to else { return true }
    if dependencies[edge] == nil { dependencies[edge] = dependency }
    order.insert(edge)
    return order.mayCloseCycle(edge)
  }

  package mutating func remove(from: LockID, to: LockID) {
    let edge = Edge(from: from, to: to)
    guard dependencies.removeValue(forKey: edge) != nil else { return }
    order.remove(edge)
    dependencies.shrinkIfSparse()
  }

  /// The operation is gone, and everything that it waited for or that waited for it.
  package mutating func retire(_ operation: LockID) {
    guard let node = order.nodes[operation] else { return }
    for next in node.successors { dependencies[Edge(from: operation, to: next)] = nil }
    for previous in node.predecessors { dependencies[Edge(from: previous, to: operation)] = nil }
    order.remove(operation)
    dependencies.shrinkIfSparse()
  }

  package func dependency(of operation: LockID, on other: LockID) -> OperationDependency? {
    dependencies[Edge(from: operation, to: other)]
  }

  /// One of the shortest ways along dependencies; empty if there is none.
  package func way(from start: LockID, to end: LockID) -> [OperationDependency] {
    var cameFrom: [LockID: LockID] = [start: start]
    var open = [start]
    while !open.isEmpty, cameFrom[end] == nil {
      var further: [LockID] = []
      for operation in open {
        for next in order.nodes[operation]?.successors.sorted() ?? []
        where cameFrom[next] == nil {
          cameFrom[next] = operation
          further.append(next)
        }
      }
      open = further
    }
    return steps(from: start, to: end, cameFrom)
  }

  private func steps(
    from start: LockID, to end: LockID, _ cameFrom: [LockID: LockID]
  ) -> [OperationDependency] {
    var steps: [OperationDependency] = []
    var current = end
    while current != start {
      guard let previous = cameFrom[current],
        let step = dependency(of: previous, on: current)
      else { return [] }
      steps.append(step)
      current = previous
    }
    return steps.reversed()
  }
}
