import ThreadmillModel

extension ComponentOrder {
  /// Puts `from` before `to` again after an edge between them, or unites what lies on the new
  /// cycle.
  ///
  /// Walks forward from `to` and back from `from`, in turn, until the two are past each other. What
  /// was walked over moves to the place where they met.
  mutating func reorder(from: ComponentID, to: ComponentID) {
    var forward = ComponentWalk(.forward, from: to, to: from, in: self)
    var backward = ComponentWalk(.backward, from: from, to: to, in: self)
    while let low = forward.current, let high = backward.current,
      place(of: low).start < place(of: high).start
    {
      visited += 2
      forward.advance(in: self)
      backward.advance(in: self)
    }
    let meeting = forward.current ?? from
    let meetingPlace = place(of: meeting)
    var after = Set(forward.finished)
    var before = Set(backward.finished.filter { place(of: $0).start > meetingPlace.start })
    if meeting == from { before.insert(meeting) } else { after.insert(meeting) }

    let paths = ComponentPaths(forward.steps + backward.steps, among: after.union(before))
    let cycle = paths.between(to, and: from)
    before.subtract(cycle)
    after.subtract(cycle)
    let middle = cycle.isEmpty ? [] : [unite(cycle)]
    put(sortedByPlace(before) + middle + sortedByPlace(after), at: meetingPlace)
  }

  private func sortedByPlace(_ some: Set<ComponentID>) -> [ComponentID] {
    some.inOrder { place(of: $0).start < place(of: $1).start }
  }

  /// Makes one component of several. Moves all but the largest, so a node or an edge at most log n
  /// times.
  private mutating func unite(_ parts: Set<ComponentID>) -> ComponentID {
    guard let largest = parts.max(by: { (size(of: $0), $0) < (size(of: $1), $1) }) else {
      preconditionFailure("Threadmill internal error: nothing to unite")
    }
    let others = parts.subtracting([largest]).compactMap { components.removeValue(forKey: $0) }
    for part in others {
      for member in part.members { nodes[member]?.component = largest }
    }
    for part in others { absorb(part, into: largest) }
    return largest
  }

  private func size(of component: ComponentID) -> Int {
    components[component].map { $0.members.count + $0.leaving.count + $0.entering.count } ?? 0
  }

  /// Edges that end in the same component now are no longer edges between components.
  private mutating func absorb(_ part: Component, into id: ComponentID) {
    visited += part.members.count + part.leaving.count + part.entering.count
    components[id]?.members.formUnion(part.members)
    components[id]?.losses += part.losses
    for edge in part.leaving {
      if nodes[edge.to]?.component == id {
        components[id]?.entering.remove(edge)
      } else {
        components[id]?.leaving.insert(edge)
      }
    }
    for edge in part.entering {
      if nodes[edge.from]?.component == id {
        components[id]?.leaving.remove(edge)
      } else {
        components[id]?.entering.insert(edge)
      }
    }
  }
}

/// The ways through a few components along edges that are known.
struct ComponentPaths {
  typealias ComponentID = ComponentOrder.ComponentID

  private var successors: [ComponentID: [ComponentID]] = [:]
  private var predecessors: [ComponentID: [ComponentID]] = [:]

  init(_ steps: [ComponentWalk.Step], among components: Set<ComponentID>) {
    for step in steps where components.contains(step.from) && components.contains(step.to) {
      successors[step.from, default: []].append(step.to)
      predecessors[step.to, default: []].append(step.from)
    }
  }

  /// Everything on any way from one to the other, both included; empty if there is none.
  func between(_ start: ComponentID, and end: ComponentID) -> Set<ComponentID> {
    let reached = Self.reach(start, along: successors)
    guard reached.contains(end) else { return [] }
    return reached.intersection(Self.reach(end, along: predecessors))
  }

  private static func reach(
    _ start: ComponentID, along edges: [ComponentID: [ComponentID]]
  ) -> Set<ComponentID> {
    var found: Set<ComponentID> = [start]
    var open = [start]
    while let component = open.popLast() {
      for next in edges[component] ?? [] where found.insert(next).inserted { open.append(next) }
    }
    return found
  }
}
