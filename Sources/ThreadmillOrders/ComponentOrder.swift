import ThreadmillModel

/// A directed graph, and a topological order of its strongly connected components that is kept
/// while edges come.
///
/// After D. J. Pearce and P. H. J. Kelly, "A Dynamic Topological Sort Algorithm for Directed
/// Acyclic Graphs", ACM Journal of Experimental Algorithmics 11 (2006): an edge that agrees with
/// the order costs nothing; one that does not sorts only the part of the order between its ends.
/// Where this differs:
///
/// - A cycle stays in the graph, since a dropped candidate is one. So the order is one of
///   components, and an edge that closes a cycle unites the components on it.
/// - The searches from the two ends go in order and in turn, and stop where they meet, so that an
///   edge next to a large component does not cost what the component is worth. After B. Haeupler,
///   T. Kavitha, R. Mathew, S. Sen and R. E. Tarjan, "Incremental Cycle Detection, Topological
///   Ordering, and Strong Component Maintenance", ACM Transactions on Algorithms 8(1), 2012.
/// - A place in the order is an interval, which can be shared out, not a number.
/// - A node that comes with an edge to leave goes to the front, one that comes with an edge to
///   arrive to the back. Each agrees with the order.
/// - Nodes go. A component that lost some may be less than strongly connected; it is split when it
///   is asked about and a quarter of it is gone, so that those that went share the price.
package struct ComponentOrder: Sendable {
  package typealias ComponentID = Int

  package struct Node: Sendable {
    package internal(set) var successors: Set<LockID> = []
    package internal(set) var predecessors: Set<LockID> = []
    package internal(set) var component: ComponentID
  }

  struct Component: Sendable {
    var members: Set<LockID>
    /// Disjoint from every other component's; an edge between components leads to the greater
    /// place.
    var place: Place
    /// The edges to and from other components, so that a walk need not look inside a large one.
    var leaving: Set<Edge> = []
    var entering: Set<Edge> = []
    /// Members that went since it was known to be strongly connected; 0 means that it is.
    var losses = 0
  }

  /// `start ..< start + width`, in a space that nothing but comparison gives a meaning.
  struct Place: Hashable, Sendable {
    /// What a new node gets.
    static let fullWidth = 1 << 32
    /// Room for 2^30 nodes before the order is laid out anew.
    static let mostOccupied = 1 << 62

    var start: Int
    var width = fullWidth
  }

  package internal(set) var nodes: [LockID: Node] = [:]
  var components: [ComponentID: Component] = [:]
  var nextComponent: ComponentID = 0
  /// Every place lies in this range.
  var occupied = 0..<0
  /// Nodes and edges looked at so far, as the measure of work.
  package internal(set) var visited = 0

  package init() {}

  package func contains(_ edge: Edge) -> Bool {
    nodes[edge.from]?.successors.contains(edge.to) ?? false
  }

  /// Adds an edge between two different nodes, and the nodes if they are new. An edge that is there
  /// changes nothing.
  package mutating func insert(_ edge: Edge) {
    if nodes[edge.from] == nil { addNode(edge.from, atFront: true) }
    if nodes[edge.to] == nil { addNode(edge.to, atFront: false) }
    visited += 1
    guard nodes[edge.from]?.successors.insert(edge.to).inserted == true else { return }
    nodes[edge.to]?.predecessors.insert(edge.from)
    guard let from = nodes[edge.from]?.component, let to = nodes[edge.to]?.component else { return }
    guard from != to else { return }
    components[from]?.leaving.insert(edge)
    components[to]?.entering.insert(edge)
    if place(of: from).start > place(of: to).start { reorder(from: from, to: to) }
  }

  /// Removes a node and its edges. Costs one step for each of them.
  package mutating func remove(_ lock: LockID) {
    guard let node = nodes.removeValue(forKey: lock) else { return }
    visited += 1 + node.successors.count + node.predecessors.count
    for next in node.successors {
      nodes[next]?.predecessors.remove(lock)
      nodes[next]?.predecessors.shrinkIfSparse()
      forget(Edge(from: lock, to: next), leaving: node.component, entering: nodes[next]?.component)
    }
    for previous in node.predecessors {
      nodes[previous]?.successors.remove(lock)
      nodes[previous]?.successors.shrinkIfSparse()
      let from = nodes[previous]?.component
      forget(Edge(from: previous, to: lock), leaving: from, entering: node.component)
    }
    nodes.shrinkIfSparse()
    leave(node.component, lock)
  }

  /// Removes an edge; the nodes stay. What it held together may be less than strongly connected.
  package mutating func remove(_ edge: Edge) {
    visited += 1
    guard nodes[edge.from]?.successors.remove(edge.to) != nil else { return }
    nodes[edge.to]?.predecessors.remove(edge.from)
    guard let from = nodes[edge.from]?.component, let to = nodes[edge.to]?.component else { return }
    if from == to {
      components[from]?.losses += 1
    } else {
      forget(edge, leaving: from, entering: to)
    }
  }

  /// Whether a cycle may lead through the edge. `false` is certain; `true` is unless members went
  /// lately.
  package mutating func mayCloseCycle(_ edge: Edge) -> Bool {
    guard let component = nodes[edge.from]?.component, component == nodes[edge.to]?.component else {
      return false
    }
    guard splitIfDepleted(component) else { return true }
    return nodes[edge.from]?.component == nodes[edge.to]?.component
  }

  package func members(ofComponentWith lock: LockID) -> Set<LockID> {
    nodes[lock].flatMap { components[$0.component] }?.members ?? []
  }

  func place(of component: ComponentID) -> Place {
    guard let place = components[component]?.place else {
      preconditionFailure("Threadmill internal error: component \(component) has no place")
    }
    return place
  }

  private mutating func addNode(_ lock: LockID, atFront: Bool) {
    nodes[lock] = Node(component: addComponent([lock], at: newPlace(atFront: atFront)))
  }

  mutating func addComponent(_ members: Set<LockID>, at place: Place) -> ComponentID {
    defer { nextComponent += 1 }
    components[nextComponent] = Component(members: members, place: place)
    return nextComponent
  }

  private mutating func forget(_ edge: Edge, leaving from: ComponentID?, entering to: ComponentID?)
  {
    guard let from, let to, from != to else { return }
    components[from]?.leaving.remove(edge)
    components[from]?.leaving.shrinkIfSparse()
    components[to]?.entering.remove(edge)
    components[to]?.entering.shrinkIfSparse()
  }

  private mutating func leave(_ component: ComponentID, _ lock: LockID) {
    components[component]?.members.remove(lock)
    components[component]?.members.shrinkIfSparse()
    switch components[component]?.members.count {
    case 0:
      components[component] = nil
      components.shrinkIfSparse()
    case 1: components[component]?.losses = 0
    default: components[component]?.losses += 1
    }
  }
}
