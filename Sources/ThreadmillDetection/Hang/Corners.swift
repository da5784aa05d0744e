import ThreadmillModel

/// The threads of a standstill, grouped into corners: the connected parts of a graph whose nodes
/// are threads and objects.
struct Corners {
  private enum Node: Hashable {
    case thread(ThreadID)
    case object(LockID)
  }

  /// The parent of each node. The node without a parent at the end of the way stands for the
  /// corner.
  private var parents: [Node: Node] = [:]
  /// The threads of each corner. Both the corners and their threads are sorted by thread number.
  private(set) var threads: [[ThreadSnapshot]] = []

  init(of standstill: Standstill) {
    let wanted = standstill.wanted
    for thread in standstill.threads {
      let node = Node.thread(thread.thread)
      if let joined = thread.joins { join(node, .thread(joined)) }
      if let wait = thread.waitsFor { join(node, .object(wait.lock)) }
      for hold in thread.held where wanted.contains(hold.lock) { join(node, .object(hold.lock)) }
    }
    for fact in standstill.facts {
      if let other = fact.statement.other { join(.object(fact.object.id), .object(other.id)) }
    }
    let sorted = standstill.threads.sorted { $0.thread < $1.thread }
    threads = Dictionary(grouping: sorted) { root(.thread($0.thread)) }.values
      .sorted { $0[0].thread < $1[0].thread }
  }

  /// Returns whether the fact is about an object of this thread's corner.
  func joins(_ fact: Standstill.Fact, _ thread: ThreadSnapshot) -> Bool {
    let corner = root(.thread(thread.thread))
    if root(.object(fact.object.id)) == corner { return true }
    return fact.statement.other.map { root(.object($0.id)) == corner } ?? false
  }

  private func root(_ node: Node) -> Node {
    var node = node
    while let parent = parents[node] { node = parent }
    return node
  }

  private mutating func join(_ a: Node, _ b: Node) {
    let (a, b) = (root(a), root(b))
    if a != b { parents[a] = b }
  }
}

extension Standstill {
  /// The objects that connect threads that hold them with threads that need them: objects that
  /// threads wait for, and objects of facts, such as queues on which blocks wait.
  var wanted: Set<LockID> {
    Set(threads.compactMap { $0.waitsFor?.lock } + facts.map(\.object.id))
  }
}
