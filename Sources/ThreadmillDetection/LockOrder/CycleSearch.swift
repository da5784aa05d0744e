import ThreadmillModel
import ThreadmillOrders

/// Looks for chains of dependencies, each of which waits for the next and the last for the first.
///
/// A chain is given up as soon as something keeps two of its dependencies apart, unless the search
/// tolerates that separation. Short chains come first. The work is bounded in steps: one for each
/// lock and each pair of dependencies.
struct CycleSearch {
  private let order: ComponentOrder
  private let dependencies: [Edge: DependencyList]
  private let cycleLength: Int

  /// The steps of all searches by this value.
  private(set) var steps = 0
  /// Whether the last search may have missed a cycle that is longer than the limit.
  private(set) var isLengthHit = false
  /// The last search ended before it had seen everything.
  private(set) var isCutShort = false

  private var tolerated = Separation.nothing
  private var lastStep = Int.max
  private var wantedCount = 0
  private var isNews: (Cycle) -> Bool = { _ in true }
  private var chains: [[Dependency]] = []
  private var distances = Distances()
  private var longestPossible = 0

  init(order: ComponentOrder, dependencies: [Edge: DependencyList], cycleLength: Int) {
    self.order = order
    self.dependencies = dependencies
    self.cycleLength = cycleLength
  }

  /// One chain for each cycle that `first` is on and that `isNews`, with `first` in front.
  mutating func chains(
    through first: Dependency, tolerating tolerated: Separation, steps limit: Int, count: Int,
    where isNews: @escaping (Cycle) -> Bool
  ) -> [[Dependency]] {
    self.tolerated = tolerated
    self.isNews = isNews
    lastStep = steps + limit
    wantedCount = count
    chains = []
    isLengthHit = false
    isCutShort = false
    defer { self.isNews = { _ in true } }
    guard hasOpening(first, affordable: limit / 4) else { return [] }
    distances = Distances(
      to: first.edge.from, in: order, within: cycleLength, steps: limit / 4)
    steps += distances.steps
    longestPossible = order.members(ofComponentWith: first.edge.from).count
    for length in stride(from: 2, through: min(longestPossible, cycleLength), by: 1) {
      extend([first.edge.from, first.edge.to], [[first]], to: length)
    }
    return chains
  }

  /// A chain around the same locks whose dependencies are kept apart the least; the first one
  /// stays.
  mutating func leastSeparated(_ chain: [Dependency], steps limit: Int) -> [Dependency] {
    lastStep = steps + limit
    let lists = [[chain[0]]] + chain.dropFirst().map { known(of: $0.edge) }
    for separation in Separation.allCases {
      tolerated = separation
      if let better = choose([], lists[...], isClosed: true) { return better }
    }
    return chain
  }

  /// Whether anything at all can follow `first`: the usual answer for one thread is no.
  private mutating func hasOpening(_ first: Dependency, affordable: Int) -> Bool {
    let lock = first.edge.to
    guard let node = order.nodes[lock], node.successors.count <= affordable else { return true }
    return node.successors.contains { next in
      order.nodes[next]?.component == node.component
        && choose([], [[first], known(of: Edge(from: lock, to: next))], isClosed: false) != nil
    }
  }

  /// Adds to `chains` those of `length` locks that start with the path.
  private mutating func extend(_ path: [LockID], _ lists: [[Dependency]], to length: Int) {
    let current = path[path.count - 1]
    if path.count == length {
      close(path, lists + [known(of: Edge(from: current, to: path[0]))])
      return
    }
    for next in ways(from: current) where !path.contains(next) {
      guard spendStep() else { return }
      let isFar = path.count + distances.atLeast(from: next) > length
      if isFar, isLengthHit || length < cycleLength || longestPossible <= cycleLength { continue }
      let longer = lists + [known(of: Edge(from: current, to: next))]
      guard choose([], longer[...], isClosed: false) != nil else { continue }
      if isFar {
        isLengthHit = true
      } else {
        extend(path + [next], longer, to: length)
      }
    }
  }

  private mutating func close(_ path: [LockID], _ lists: [[Dependency]]) {
    guard let cycle = Cycle(path), isNews(cycle),
      let chain = choose([], lists[...], isClosed: true)
    else { return }
    if chains.count == wantedCount {
      isCutShort = true
      lastStep = steps
    } else {
      chains.append(chain)
    }
  }

  /// The next locks of a path, in a fixed order, so that the same events give the same findings.
  ///
  /// If there are more of them than steps are left, only those with a known short way back.
  private mutating func ways(from lock: LockID) -> [LockID] {
    guard let node = order.nodes[lock] else { return [] }
    let isAffordable = node.successors.count <= lastStep - steps
    if !isAffordable, !distances.isComplete { isCutShort = true }
    let ways = isAffordable ? node.successors : distances.known.intersection(node.successors)
    steps += ways.count
    return ways.filter { order.nodes[$0]?.component == node.component }.sorted()
  }

  /// A choice of one dependency from each list that goes on from `chosen` to a chain; the first one
  /// found.
  private mutating func choose(
    _ chosen: [Dependency], _ lists: ArraySlice<[Dependency]>, isClosed: Bool
  ) -> [Dependency]? {
    guard let list = lists.first else {
      guard isClosed, let first = chosen.first, let last = chosen.last else { return chosen }
      return last.waits(for: first) ? chosen : nil
    }
    for dependency in list where chosen.last?.waits(for: dependency) != false {
      let isApart = chosen.contains { !spendStep() || $0.separation(from: dependency) > tolerated }
      if isApart { continue }
      if let chain = choose(chosen + [dependency], lists.dropFirst(), isClosed: isClosed) {
        return chain
      }
    }
    return nil
  }

  private func known(of edge: Edge) -> [Dependency] { dependencies[edge]?.all ?? [] }

  private mutating func spendStep() -> Bool {
    guard steps < lastStep else {
      isCutShort = true
      return false
    }
    steps += 1
    return true
  }
}
