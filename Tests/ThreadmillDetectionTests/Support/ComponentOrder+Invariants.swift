import ThreadmillModel

@testable import ThreadmillOrders

extension ComponentOrder {
  /// Stops the process at the first invariant that does not hold.
  func checkInvariants() {
    checkNodes()
    checkPlaces()
    for (id, component) in components { checkConnection(id, component) }
  }

  private func checkNodes() {
    for (lock, node) in nodes {
      precondition(
        components[node.component]?.members.contains(lock) == true,
        "\(lock) is not a member of its component \(node.component)")
      for next in node.successors {
        precondition(next != lock, "\(lock) has an edge to itself")
        precondition(
          nodes[next]?.predecessors.contains(lock) == true,
          "\(next) does not know its edge from \(lock)")
        guard let target = nodes[next]?.component, target != node.component else { continue }
        precondition(
          place(of: node.component).start < place(of: target).start,
          "edge \(lock) → \(next) leads back, from \(place(of: node.component)) to \(place(of: target))"
        )
      }
      for previous in node.predecessors {
        precondition(
          nodes[previous]?.successors.contains(lock) == true,
          "\(previous) does not know its edge to \(lock)")
      }
    }
  }

  private func checkPlaces() {
    let members = components.values.reduce(0) { $0 + $1.members.count }
    precondition(members == nodes.count, "\(members) members of components, \(nodes.count) nodes")
    let places = components.values.map(\.place).sorted { $0.start < $1.start }
    for (one, next) in zip(places, places.dropFirst()) {
      precondition(one.start + one.width <= next.start, "places \(one) and \(next) overlap")
    }
    if let first = places.first, let last = places.last {
      precondition(
        occupied.lowerBound <= first.start && last.start + last.width <= occupied.upperBound,
        "places from \(first) to \(last) are not within \(occupied)")
    }
  }

  private func checkConnection(_ id: ComponentID, _ component: Component) {
    precondition(!component.members.isEmpty, "component \(id) is empty")
    let outside: (LockID) -> Bool = { !component.members.contains($0) }
    let leaving = component.members.flatMap { lock in
      (nodes[lock]?.successors ?? []).filter(outside).map { Edge(from: lock, to: $0) }
    }
    precondition(
      component.leaving == Set(leaving), "component \(id): \(component.leaving), not \(leaving)")
    let entering = component.members.flatMap { lock in
      (nodes[lock]?.predecessors ?? []).filter(outside).map { Edge(from: $0, to: lock) }
    }
    precondition(
      component.entering == Set(entering), "component \(id): \(component.entering), not \(entering)"
    )
    precondition(component.losses >= 0, "component \(id) has lost \(component.losses)")
    guard component.losses == 0 else { return }
    let parts = StrongComponents(of: component.members, in: nodes).found
    precondition(parts.count == 1, "component \(id) falls into \(parts)")
  }
}
