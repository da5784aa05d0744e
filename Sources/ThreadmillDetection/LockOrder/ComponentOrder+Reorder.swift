import ThreadmillModel

extension ComponentOrder {
  /// Puts `from` before `to` again after an edge between them, or unites what lies on the new
  /// cycle.
  ///
  /// Looks only at components that lie between the two in the order.
  mutating func reorder(from: ComponentID, to: ComponentID) {
    let lowest = place(of: to).start
    let highest = place(of: from).start
    let after = reach(to, along: \.successors) { $0.start <= highest }
    let before = reach(from, along: \.predecessors) { $0.start >= lowest }
    let cycle = after.intersection(before)
    let first = sortedByPlace(before.subtracting(cycle))
    let last = sortedByPlace(after.subtracting(cycle))
    let pool = (first + last + cycle).map(place(of:)).sorted { $0.start < $1.start }

    for (component, place) in zip(first, pool) { components[component]?.place = place }
    for (component, place) in zip(last, pool.suffix(last.count)) {
      components[component]?.place = place
    }
    let middle = pool.dropFirst(first.count).dropLast(last.count)
    if let widest = middle.max(by: { $0.width < $1.width }) { unite(cycle, at: widest) }
  }

  /// The components that a path of edges reaches from `start`, itself included, as far as `isNear`
  /// says.
  private mutating func reach(
    _ start: ComponentID, along edges: KeyPath<Node, Set<LockID>>, while isNear: (Place) -> Bool
  ) -> Set<ComponentID> {
    var found: Set<ComponentID> = [start]
    var open = [start]
    while let component = open.popLast() {
      for member in components[component]?.members ?? [] {
        for neighbour in nodes[member]?[keyPath: edges] ?? [] {
          visited += 1
          guard let next = nodes[neighbour]?.component, isNear(place(of: next)) else { continue }
          if found.insert(next).inserted { open.append(next) }
        }
      }
    }
    return found
  }

  private func sortedByPlace(_ some: Set<ComponentID>) -> [ComponentID] {
    some.sorted { place(of: $0).start < place(of: $1).start }
  }

  /// Makes one component of several. Relabels all but the largest, so a node at most log n times.
  private mutating func unite(_ parts: Set<ComponentID>, at place: Place) {
    func size(_ part: ComponentID) -> Int { components[part]?.members.count ?? 0 }
    guard let largest = parts.max(by: { (size($0), $0) < (size($1), $1) }) else { return }
    for part in parts where part != largest {
      guard let component = components.removeValue(forKey: part) else { continue }
      for member in component.members { nodes[member]?.component = largest }
      visited += component.members.count
      components[largest]?.members.formUnion(component.members)
      components[largest]?.losses += component.losses
    }
    components[largest]?.place = place
  }
}
