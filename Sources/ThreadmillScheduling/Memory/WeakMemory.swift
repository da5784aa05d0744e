/// The atomic variables of a program as C++20 has them, whose memory model Swift adopts: which
/// store a load may read, and where a store may stand in the modification order.
///
/// The caller runs one access after another. ``choices(for:)`` says in how many ways the access may
/// take place, and ``perform(_:_:changing:)`` takes one of them. Way 0 is the one of a strong
/// machine: it reads the last store, and writes behind it.
///
/// W. Luo, B. Demsky, "C11Tester: A Race Detector for C/C++ Atomics", ASPLOS 2021. As there, an
/// execution is found only if an order of its accesses exists in which each load comes after the
/// store that it reads, and in which the sequentially consistent accesses and fences stand in their
/// order S. This leaves out load buffering, and cycles of S with reads.
///
/// Differences:
/// * The place of a store in the modification order is chosen when it is made. C11Tester keeps a
///   graph of constraints instead, and chooses at the loads.
/// * Order S follows C++20 ([atomics.order], paragraph 4), so fences are as strong as there.
/// * A location keeps its last ``mostStores`` stores. Older ones are read no more.
package struct WeakMemory: Sendable {
  /// The stores of a location that can be read.
  package static let mostStores = 64
  private static let gap = 1 << 20

  private struct Location: Sendable {
    /// All stores, by their numbers, which count in the order of execution.
    var stores: [Store]
    /// The modification order.
    var order: [Int32]
    /// Whether the modification order is that of execution.
    var isInOrder = true

    var last: Int32 { order[order.count - 1] }

    @inline(__always)
    func isLater(_ store: Int32, than other: Int32) -> Bool {
      isInOrder ? store > other : stores[Int(store)].rank > stores[Int(other)].rank
    }
  }

  private struct Strand: Sendable {
    /// The latest accesses that happen before the strand's next one.
    var known: View = []
    /// What an acquiring fence will learn from the loads before it.
    var read: View = []
    /// What was known at the last releasing fence.
    var fenced: View = []
  }

  /// One way in which an access can take place.
  private struct Way: Sendable {
    /// The place of the store that is read, or stands before, in the modification order.
    var place: Int
    var writes: Bool
  }

  private var locations: [Location] = []
  private var strands: [Strand] = []
  /// The latest sequentially consistent access to each location, as the store that it read or made.
  private var sequential: View = []
  /// What was known at the sequentially consistent fences.
  private var fences: View = []
  /// What was known at the operations of ``synchronise(_:)``.
  private var shared: View = []
  /// What was known at the ends of the jobs of tasks.
  private var ended: View = []
  private var ways: [Way] = []

  package init() {}

  /// Forgets everything.
  package mutating func removeAll() {
    locations.removeAll(keepingCapacity: true)
    strands.removeAll(keepingCapacity: true)
    (sequential, fences, shared, ended) = ([], [], [], [])
  }

  package var locationCount: Int { locations.count }

  /// Returns the number of a new variable.
  package mutating func addLocation(_ value: Value) -> Int {
    let initial = Store(
      value: value, strand: nil, step: 0, order: .relaxed, isUpdate: false, released: [], rank: 0)
    locations.append(Location(stores: [initial], order: [0]))
    return locations.count - 1
  }

  /// The last store of the location's modification order, whose value a strong machine has there.
  package func newest(_ location: Int) -> Store {
    let location = locations[location]
    return location.stores[Int(location.last)]
  }

  // MARK: Accesses

  /// Returns in how many ways the access can take place: at least 1. They count from the end of the
  /// modification order.
  package mutating func choices(for access: Access) -> Int {
    ways.removeAll(keepingCapacity: true)
    let bound = bound(for: access, access.order)
    switch access.kind {
    case .load: findReads(access.location, from: bound)
    case .store, .update: findGaps(access.location, from: bound)
    case .compareExchange(let expected, let isWeak, let failure):
      findExchanges(
        access.location, from: bound, failing: self.bound(for: access, failure), expected, isWeak)
    }
    return ways.count
  }

  /// Takes one of the ways that ``choices(for:)`` has counted for this access.
  ///
  /// - Parameter change: returns what is written in the place of a value.
  package mutating func perform(
    _ access: Access, _ choice: Int, changing change: (Value) -> Value = { $0 }
  ) -> Effect {
    let way = ways[choice]
    let location = access.location
    let store = locations[location].order[way.place]
    var effect = Effect(
      value: locations[location].stores[Int(store)].value, written: nil,
      read: locations[location].stores[Int(store)].step)
    var order = access.order
    if !way.writes, case .compareExchange(_, _, let failure) = access.kind { order = failure }
    if access.kind != .store { read(store, access, order) }
    guard way.writes else { return effect }
    let written = change(effect.value)
    write(written, behind: way.place, access)
    effect.written = written
    return effect
  }

  private mutating func read(_ store: Int32, _ access: Access, _ order: MemoryOrder) {
    let strand = ready(access.strand)
    let released = locations[access.location].stores[Int(store)].released
    if order.acquires {
      Self.join(locations, released, into: &strands[strand].known)
    } else {
      Self.join(locations, released, into: &strands[strand].read)
    }
    Self.note(locations, store, of: access.location, in: &strands[strand].known)
    if order == .sequential { Self.note(locations, store, of: access.location, in: &sequential) }
  }

  private mutating func write(_ value: Value, behind place: Int, _ access: Access) {
    let strand = ready(access.strand)
    let location = access.location
    let number = Int32(locations[location].stores.count)
    let before = locations[location].stores[Int(locations[location].order[place])]
    let isUpdate = access.kind != .store
    let made = Store(
      value: value, strand: access.strand, step: access.step, order: access.order,
      isUpdate: isUpdate, released: [], rank: makeRank(location, behind: place))
    locations[location].stores.append(made)
    if place < locations[location].order.count - 1 { locations[location].isInOrder = false }
    locations[location].order.insert(number, at: place + 1)
    Self.note(locations, number, of: location, in: &strands[strand].known)
    if access.order == .sequential { Self.note(locations, number, of: location, in: &sequential) }
    var released = access.order.releases ? strands[strand].known : strands[strand].fenced
    // An update goes on with the release sequence of the store that it has read.
    if isUpdate { Self.join(locations, before.released, into: &released) }
    locations[location].stores[Int(number)].released = released
    if locations[location].order.count > Self.mostStores {
      let oldest = Int(locations[location].order.removeFirst())
      locations[location].stores[oldest].released = []
    }
  }

  /// Returns a number between those of the neighbours.
  private mutating func makeRank(_ location: Int, behind place: Int) -> Int {
    let order = locations[location].order
    func rank(_ place: Int) -> Int { locations[location].stores[Int(order[place])].rank }
    if place == order.count - 1 { return rank(place) + Self.gap }
    if rank(place + 1) - rank(place) > 1 { return (rank(place) + rank(place + 1)) / 2 }
    // Those that are read no more stay below all others.
    let start = rank(order.count - 1) + Self.gap
    for (index, store) in order.enumerated() {
      locations[location].stores[Int(store)].rank = start + index * Self.gap
    }
    return start + place * Self.gap + Self.gap / 2
  }

  // MARK: Ways

  /// Returns the earliest store that the access can read, or stand behind.
  private mutating func bound(for access: Access, _ order: MemoryOrder) -> Int32 {
    let location = access.location
    let strand = ready(access.strand)
    var bound = strands[strand].known.store(of: location)
    guard order == .sequential else { return bound }
    for view in [sequential, fences] {
      let other = view.store(of: location)
      if locations[location].isLater(other, than: bound) { bound = other }
    }
    return bound
  }

  private mutating func findReads(_ location: Int, from bound: Int32) {
    let order = locations[location].order
    for place in order.indices.reversed() {
      if locations[location].isLater(bound, than: order[place]) { return }
      ways.append(Way(place: place, writes: false))
    }
  }

  private mutating func findGaps(_ location: Int, from bound: Int32) {
    let order = locations[location].order
    for place in order.indices.reversed() {
      if locations[location].isLater(bound, than: order[place]) { return }
      if isGap(location, behind: place) { ways.append(Way(place: place, writes: true)) }
    }
  }

  private mutating func findExchanges(
    _ location: Int, from bound: Int32, failing failure: Int32, _ expected: Value, _ isWeak: Bool
  ) {
    let order = locations[location].order
    for place in order.indices.reversed() {
      let store = order[place]
      let isExpected = locations[location].stores[Int(store)].value == expected
      if isExpected, !locations[location].isLater(bound, than: store),
        isGap(location, behind: place)
      {
        ways.append(Way(place: place, writes: true))
      }
      if !isExpected || isWeak, !locations[location].isLater(failure, than: store) {
        ways.append(Way(place: place, writes: false))
      }
    }
  }

  /// Whether a store may stand there: nothing comes between an update and what it has read.
  private func isGap(_ location: Int, behind place: Int) -> Bool {
    let order = locations[location].order
    return place + 1 == order.count || !locations[location].stores[Int(order[place + 1])].isUpdate
  }

  // MARK: Synchronisation

  package mutating func fence(_ order: MemoryOrder, by strand: UInt32) {
    let strand = ready(strand)
    if order.acquires { Self.join(locations, strands[strand].read, into: &strands[strand].known) }
    if order == .sequential {
      Self.join(locations, sequential, into: &strands[strand].known)
      Self.join(locations, fences, into: &strands[strand].known)
      fences = strands[strand].known
    }
    if order.releases { strands[strand].fenced = strands[strand].known }
  }

  /// The strand makes an operation of another kind: takes or gives back a lock, submits work,
  /// begins or ends. All of these are taken for ordered, as if they were on one object.
  package mutating func synchronise(_ strand: UInt32) {
    let strand = ready(strand)
    Self.join(locations, shared, into: &strands[strand].known)
    shared = strands[strand].known
  }

  /// The strand is a job of a task, and ends.
  package mutating func endJob(of strand: UInt32) {
    let strand = ready(strand)
    Self.join(locations, strands[strand].known, into: &ended)
  }

  /// The strand may have awaited any task that has ended.
  package mutating func learnOfEndedJobs(_ strand: UInt32) {
    let strand = ready(strand)
    Self.join(locations, ended, into: &strands[strand].known)
  }

  /// Returns the index of the strand, for which there is room then.
  private mutating func ready(_ strand: UInt32) -> Int {
    while strands.count <= strand { strands.append(Strand()) }
    return Int(strand)
  }

  private static func note(
    _ locations: [Location], _ store: Int32, of location: Int, in view: inout View
  ) {
    let known = view.store(of: location)
    guard store != known, locations[location].isLater(store, than: known) else { return }
    while view.count <= location { view.append(0) }
    view[location] = store
  }

  private static func join(_ locations: [Location], _ other: View, into view: inout View) {
    if view.isEmpty {
      view = other
      return
    }
    for location in other.indices { Self.note(locations, other[location], of: location, in: &view) }
  }
}

extension [Int32] {
  @inline(__always)
  fileprivate func store(of location: Int) -> Int32 { location < count ? self[location] : 0 }
}
