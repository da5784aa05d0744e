/// Which locks are taken inside which, over a whole run, by the places that made them.
///
/// Unlike a finding's, it has every order that was seen, the right ones as well, and stays when the
/// locks themselves are gone.
package struct LockGraph: Hashable, Sendable {
  /// All locks of one kind that were made at one place.
  package struct LockClass: Hashable, Sendable {
    package var kind: SharedObject.Kind
    /// A queue's own name.
    package var label: String?
    /// The stack that made the first of them; where nobody saw one being made, its first use.
    package var place: Backtrace
    package var isFirstUse: Bool

    package init(
      kind: SharedObject.Kind, label: String? = nil, place: Backtrace, isFirstUse: Bool = false
    ) {
      self.kind = kind
      self.label = label
      self.place = place
      self.isFirstUse = isFirstUse
    }
  }

  /// Locks of one class were taken while one of another was held, or of the same.
  package struct Edge: Hashable, Sendable {
    /// Places in `classes`.
    package var from: Int
    package var to: Int
    /// In how many circumstances: by which thread, and with what else held.
    package var count: Int
    /// Where the second lock was taken, the first time.
    package var place: Backtrace

    package init(from: Int, to: Int, count: Int, place: Backtrace) {
      self.from = from
      self.to = to
      self.count = count
      self.place = place
    }
  }

  /// Sorted by what they are; each once.
  package private(set) var classes: [LockClass]
  /// Sorted by their ends; each pair once.
  package private(set) var edges: [Edge]

  /// Classes that are the same in every process become one, and with them their edges. An edge
  /// whose ends are not both there is left out.
  package init(classes: [LockClass], edges: [Edge]) {
    let identities = classes.map(\.identity)
    var firsts: [PlaceIdentity: LockClass] = [:]
    for (identity, one) in zip(identities, classes) where firsts[identity] == nil {
      firsts[identity] = one
    }
    let order = firsts.sorted { $0.key < $1.key }
    let places = Dictionary(
      uniqueKeysWithValues: order.enumerated().map { ($0.element.key, $0.offset) })
    var merged: [Pair: Edge] = [:]
    for edge in edges {
      guard identities.indices.contains(edge.from), identities.indices.contains(edge.to),
        let from = places[identities[edge.from]], let to = places[identities[edge.to]]
      else { continue }
      let known = merged[Pair(from: from, to: to)]
      merged[Pair(from: from, to: to)] = Edge(
        from: from, to: to, count: Report.sum(known?.count ?? 0, edge.count),
        place: known?.place ?? edge.place)
    }
    self.classes = order.map(\.value)
    self.edges = merged.values.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
  }

  private struct Pair: Hashable {
    var from: Int
    var to: Int
  }

  /// Both as one: counts add up.
  package func merged(with other: LockGraph) -> LockGraph {
    let moved = other.edges.map { edge in
      Edge(
        from: edge.from + classes.count, to: edge.to + classes.count, count: edge.count,
        place: edge.place)
    }
    return LockGraph(classes: classes + other.classes, edges: edges + moved)
  }

  /// For each class the number of its cycle; classes of one cycle have the same. `nil` for those
  /// that are on none.
  ///
  /// An edge is on a cycle if its ends have the same number. Costs one walk over the edges for each
  /// cycle, and for each class that is on none.
  package var cycles: [Int?] {
    let onward = Dictionary(grouping: edges, by: \.from).mapValues { $0.map(\.to) }
    let back = Dictionary(grouping: edges, by: \.to).mapValues { $0.map(\.from) }
    var cycles: [Int?] = Array(repeating: nil, count: classes.count)
    for index in classes.indices where cycles[index] == nil {
      let component = Self.reached(from: index, by: onward)
        .intersection(Self.reached(from: index, by: back))
      for member in component { cycles[member] = index }
    }
    return cycles
  }

  /// What a walk of at least one step comes to.
  private static func reached(from start: Int, by steps: [Int: [Int]]) -> Set<Int> {
    var reached: Set<Int> = []
    var pending = steps[start] ?? []
    while let next = pending.popLast() {
      if reached.insert(next).inserted { pending += steps[next] ?? [] }
    }
    return reached
  }
}

extension LockGraph.LockClass {
  /// What tells classes apart, in another process too.
  package var identity: PlaceIdentity {
    PlaceIdentity([kind.rawValue, label ?? "", isFirstUse ? "used" : "made"], place)
  }
}
