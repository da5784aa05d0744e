import ThreadmillModel

@testable import ThreadmillDetection
@testable import ThreadmillOrders

extension LockOrderGraph {
  /// Stops the process at the first invariant that does not hold.
  func checkInvariants() {
    order.checkInvariants()
    candidates.checkInvariants()
    let edges = order.nodes.reduce(0) { $0 + $1.value.successors.count }
    precondition(
      edges == dependencies.count, "\(edges) edges, \(dependencies.count) lists of dependencies")
    for (edge, list) in dependencies { check(edge, list) }
    for lock in order.nodes.keys {
      precondition(objects[lock] != nil, "\(lock) has edges but is not declared")
      precondition(!disqualified.contains(lock), "\(lock) has edges but is no lock")
    }
    for (cycle, _) in candidates.all {
      for edge in cycle.edges {
        precondition(order.contains(edge), "\(cycle) leads along \(edge), which is no edge")
      }
    }
    precondition(
      filtered.count <= limits.filteredFindings, "\(filtered.count) filtered findings are kept")
  }

  /// What is kept for locks that live: 0 once all have been retired.
  var liveEntries: Int {
    objects.count + disqualified.count + order.nodes.count + order.components.count
      + dependencies.count + candidates.count
  }

  /// How many locks are on cycles with each other, as far as is known.
  var largestComponent: Int { order.components.values.map(\.members.count).max() ?? 0 }

  /// Places in the tables, used or not: what is left of it is memory that was not given back.
  var reservedEntries: Int {
    objects.capacity + disqualified.capacity + order.nodes.capacity + order.components.capacity
      + dependencies.capacity + candidates.all.capacity
  }

  private func check(_ edge: Edge, _ list: DependencyList) {
    precondition(order.contains(edge), "\(edge) has dependencies but is no edge")
    precondition(!list.all.isEmpty, "\(edge) has no dependencies")
    precondition(
      list.all.count <= limits.dependenciesPerEdge, "\(edge) has \(list.all.count) dependencies")
    for dependency in list.all {
      precondition(dependency.edge == edge, "\(edge) lists a dependency of \(dependency.edge)")
      precondition(
        !dependency.acquisition.held.contains { disqualified.contains($0.lock) },
        "\(edge) lists an acquisition under something that is no lock")
    }
  }
}

extension CandidateTable {
  /// Stops the process at the first invariant that does not hold.
  func checkInvariants() {
    for cycle in all.keys {
      for lock in cycle.locks {
        precondition(
          cyclesByLock[lock]?.contains(cycle) == true, "\(lock) does not know its cycle \(cycle)")
      }
    }
    let listed = cyclesByLock.values.reduce(0) { $0 + $1.count }
    let expected = all.keys.reduce(0) { $0 + $1.locks.count }
    precondition(listed == expected, "\(listed) entries by lock, \(expected) places on cycles")
    let reported = all.values.count { $0.separation == .nothing }
    precondition(reported == reportedCount, "\(reported) findings, \(reportedCount) counted")
  }
}
