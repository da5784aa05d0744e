import ThreadmillModel

/// The strongly connected components of a graph, each once, in topological order.
///
/// R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing 1(2),
/// 1972; with a stack of its own instead of recursion: a component may be larger than a thread's
/// stack.
struct StrongComponents {
  private struct Visit {
    let lock: LockID
    var open: [LockID]
  }

  private let members: Set<LockID>
  private let nodes: [LockID: ComponentOrder.Node]
  private var number: [LockID: Int] = [:]
  private var lowest: [LockID: Int] = [:]
  private var pending: [LockID] = []
  private var isPending: Set<LockID> = []
  private(set) var found: [[LockID]] = []
  /// Nodes and edges looked at.
  private(set) var visited = 0

  /// Looks at the edges among `members` only.
  init(of members: Set<LockID>, in nodes: [LockID: ComponentOrder.Node]) {
    self.members = members
    self.nodes = nodes
    for root in members.sorted() where number[root] == nil { explore(root) }
    found.reverse()
  }

  private mutating func explore(_ root: LockID) {
    var visits = [enter(root)]
    while var visit = visits.popLast() {
      guard let next = visit.open.popLast() else {
        finish(visit.lock, parent: visits.last?.lock)
        continue
      }
      visits.append(visit)
      visited += 1
      if number[next] == nil {
        visits.append(enter(next))
      } else if isPending.contains(next) {
        lower(visit.lock, to: number[next])
      }
    }
  }

  private mutating func enter(_ lock: LockID) -> Visit {
    visited += 1
    number[lock] = number.count
    lowest[lock] = number[lock]
    pending.append(lock)
    isPending.insert(lock)
    return Visit(lock: lock, open: nodes[lock]?.successors.filter(members.contains).sorted() ?? [])
  }

  private mutating func finish(_ lock: LockID, parent: LockID?) {
    if let parent { lower(parent, to: lowest[lock]) }
    guard lowest[lock] == number[lock] else { return }
    var part: [LockID] = []
    while let member = pending.popLast() {
      isPending.remove(member)
      part.append(member)
      if member == lock { break }
    }
    found.append(part)
  }

  private mutating func lower(_ lock: LockID, to value: Int?) {
    guard let value, let old = lowest[lock] else { return }
    lowest[lock] = min(old, value)
  }
}
