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
    if component.place.width < parts.count { renumber() }
    let place = place(of: id)
    let width = place.width / parts.count
    components[id] = nil
    for (index, part) in parts.enumerated() {
      let share = Place(start: place.start + index * width, width: width)
      let new = addComponent(Set(part), at: share)
      for member in part { nodes[member]?.component = new }
    }
    return true
  }

  /// Gives every component its full width again, in the order that they have.
  private mutating func renumber() {
    let inOrder = components.sorted { $0.value.place.start < $1.value.place.start }
    visited += inOrder.count
    for (index, entry) in inOrder.enumerated() {
      components[entry.key]?.place = Place(start: index * Place.fullWidth)
    }
    occupied = 0..<(inOrder.count * Place.fullWidth)
  }

  private mutating func stronglyConnectedParts(of members: Set<LockID>) -> [[LockID]] {
    let search = StrongComponents(of: members, in: nodes)
    visited += search.visited
    return search.found
  }
}
