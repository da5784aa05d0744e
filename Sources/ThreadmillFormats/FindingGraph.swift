import ThreadmillModel
import ThreadmillReporting

/// Who keeps whom waiting in one finding. Objects are nodes; so are threads, where they stand at
/// the end of a chain.
struct FindingGraph: Hashable, Sendable {
  enum Node: Hashable, Sendable {
    case object(LockID)
    /// Threads in the same place, by their numbers among the participants.
    case threads([Int])
  }

  /// From an object to an object: who holds the first waits for the second. From threads: they wait
  /// for the object. To threads: they hold it.
  struct Edge: Hashable, Sendable {
    var from: Node
    var to: Node
    /// Those whose doing it is, by their numbers among the participants.
    var threads: [Int]
  }

  /// In the order in which the participants name them.
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  /// Empty where nobody waits for anything.
  init(_ participants: [Finding.Participant]) {
    let wanted = Set(participants.compactMap(\.wants))
    var waiting: [LockID: [Int]] = [:]
    for (index, participant) in participants.enumerated() {
      guard let wants = participant.wants else { continue }
      var reasons = participant.holds.map(\.object).filter(wanted.contains)
      if reasons.isEmpty, let innermost = participant.holds.last?.object { reasons = [innermost] }
      for held in reasons { add(.object(held), .object(wants), index) }
      if reasons.isEmpty { waiting[wants, default: []].append(index) }
    }
    for (wants, threads) in waiting.sorted(by: { $0.key < $1.key }) {
      for thread in threads { add(.threads(threads), .object(wants), thread) }
    }
    for (index, participant) in participants.enumerated() where participant.wants == nil {
      for held in participant.holds.map(\.object) where wanted.contains(held) {
        add(.object(held), .threads([index]), index)
      }
    }
  }

  private mutating func add(_ from: Node, _ to: Node, _ thread: Int) {
    for node in [from, to] where !nodes.contains(node) { nodes.append(node) }
    if let place = edges.firstIndex(where: { $0.from == from && $0.to == to }) {
      if !edges[place].threads.contains(thread) { edges[place].threads.append(thread) }
    } else {
      edges.append(Edge(from: from, to: to, threads: [thread]))
    }
  }

  /// For each node the length of the longest way to it; `nil` if there is a way around.
  var levels: [Node: Int]? {
    var levels = Dictionary(uniqueKeysWithValues: nodes.map { ($0, 0) })
    for _ in nodes {
      var isSettled = true
      for edge in edges where levels[edge.to, default: 0] <= levels[edge.from, default: 0] {
        levels[edge.to] = levels[edge.from, default: 0] + 1
        isSettled = false
      }
      if isSettled { return levels }
    }
    return nodes.isEmpty ? levels : nil
  }

  /// Every node once, each after one that leads to it as far as there is one.
  var walk: [Node] {
    var order: [Node] = []
    var pending = Array(nodes.reversed())
    while let node = pending.popLast() {
      guard !order.contains(node) else { continue }
      order.append(node)
      pending += edges.filter { $0.from == node }.map(\.to).reversed()
    }
    return order
  }
}
