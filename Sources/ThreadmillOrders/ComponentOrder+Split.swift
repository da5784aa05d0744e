import ThreadmillModel

extension ComponentOrder {
  /// A component is split when one in this many of its members is gone.
  private static let depletion = 4

  /// Makes strongly connected components again of one that lost members; says whether it did
  /// anything.
  ///
  /// Costs one step for each edge inside the component, shared among the quarter of it that went.
  mutating func splitIfDepleted(_ id: ComponentID) -> Bool {
    guard let component = components[id], component.losses > 0,
      component.losses * Self.depletion >= component.members.count
    else { return false }
    let parts = stronglyConnectedParts(of: component.members)
    components[id]?.losses = 0
    guard parts.count > 1 else { return true }
    let place = component.place
    components[id] = nil
    var ids: [ComponentID] = []
    for part in parts {
      ids.append(addComponent(Set(part), at: place))
      for member in part { nodes[member]?.component = ids[ids.count - 1] }
    }
    put(ids, at: place)
    for part in parts { listOuterEdges(of: part) }
    return true
  }

  private mutating func listOuterEdges(of part: [LockID]) {
    for member in part {
      guard let node = nodes[member] else { continue }
      visited += node.successors.count + node.predecessors.count
      for next in node.successors where nodes[next]?.component != node.component {
        components[node.component]?.leaving.insert(Edge(from: member, to: next))
      }
      for previous in node.predecessors where nodes[previous]?.component != node.component {
        components[node.component]?.entering.insert(Edge(from: previous, to: member))
      }
    }
  }

  private mutating func stronglyConnectedParts(of members: Set<LockID>) -> [[LockID]] {
    let search = StrongComponents(of: members, in: nodes)
    visited += search.visited
    return search.found
  }
}
