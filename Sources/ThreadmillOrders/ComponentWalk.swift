import ThreadmillModel

/// A search through the components of a graph, in their order or against it, one edge at a time.
struct ComponentWalk {
  typealias ComponentID = ComponentOrder.ComponentID

  enum Direction { case forward, backward }

  /// An edge between components, as it is in the graph.
  struct Step {
    var from: ComponentID
    var to: ComponentID
  }

  private let direction: Direction
  private let end: Int
  /// The component whose edges are being looked at; `nil` when the walk is over.
  private(set) var current: ComponentID?
  /// Those whose edges have all been looked at: everything on this side of `current`.
  private(set) var finished: [ComponentID] = []
  /// The edges looked at so far that do not lead too far.
  private(set) var steps: [Step] = []
  private var edges: Set<Edge>.Iterator
  private var found: Set<ComponentID>
  private var open = PriorityQueue()

  /// - Parameter end: the component at whose place the walk ends; what lies beyond it is too far.
  init(
    _ direction: Direction, from start: ComponentID, to end: ComponentID, in order: ComponentOrder
  ) {
    self.direction = direction
    self.end = order.place(of: end).start
    current = start
    found = [start]
    edges = Self.edges(of: start, direction, in: order)
  }

  /// Looks at one more edge, or goes on to the next component.
  mutating func advance(in order: ComponentOrder) {
    guard let current else { return }
    if let edge = edges.next() {
      let other = direction == .forward ? edge.to : edge.from
      if let next = order.nodes[other]?.component { look(at: next, from: current, in: order) }
    } else {
      finished.append(current)
      self.current = open.pop()
      if let next = self.current { edges = Self.edges(of: next, direction, in: order) }
    }
  }

  private mutating func look(
    at next: ComponentID, from current: ComponentID, in order: ComponentOrder
  ) {
    let place = order.place(of: next).start
    guard direction == .forward ? place <= end : place >= end else { return }
    steps.append(
      direction == .forward ? Step(from: current, to: next) : Step(from: next, to: current))
    guard found.insert(next).inserted else { return }
    open.push(next, priority: direction == .forward ? -place : place)
  }

  private static func edges(
    of component: ComponentID, _ direction: Direction, in order: ComponentOrder
  ) -> Set<Edge>.Iterator {
    let component = order.components[component]
    let edges = direction == .forward ? component?.leaving : component?.entering
    return (edges ?? []).makeIterator()
  }
}

/// Gives the numbers that were put in back by their priority, the highest first: a binary heap.
struct PriorityQueue {
  private var heap: [(element: Int, priority: Int)] = []

  /// Logarithmic.
  mutating func push(_ element: Int, priority: Int) {
    heap.append((element, priority))
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].priority < heap[child].priority {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Logarithmic; `nil` if it is empty.
  mutating func pop() -> Int? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last.element }
    heap[0] = last
    var parent = 0
    while let child = largerChild(of: parent), heap[parent].priority < heap[child].priority {
      heap.swapAt(parent, child)
      parent = child
    }
    return first.element
  }

  private func largerChild(of parent: Int) -> Int? {
    let left = 2 * parent + 1
    guard left < heap.count else { return nil }
    let right = left + 1
    return right < heap.count && heap[left].priority < heap[right].priority ? right : left
  }
}
