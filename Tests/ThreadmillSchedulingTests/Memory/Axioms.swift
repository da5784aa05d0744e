import ThreadmillScheduling

/// The outcomes that C++20 allows for a litmus test, by trying every execution there could be
/// against the text of the standard (N4861, [intro.races], [atomics.order], [atomics.fences]).
///
/// Slow, and nothing but the text: it shares nothing with the model.
struct Axioms {
  /// All that the text allows.
  private(set) var allowed: Set<Litmus.Outcome> = []
  /// Those of them with an execution whose accesses can be run one after another: each load comes
  /// after the store that it reads, and the order S is kept.
  private(set) var runnable: Set<Litmus.Outcome> = []

  private let test: Litmus
  private var events: [Event] = []

  private struct Event {
    let operation: Litmus.Operation
    let thread: Int
    private(set) var reads = false
    private(set) var writes = false
    private(set) var order: MemoryOrder
    var location: Int? { operation.location }
    var isFence: Bool { location == nil }
    var isSequential: Bool { order == .sequential }

    init(_ operation: Litmus.Operation, of thread: Int, fails: Bool) {
      (self.operation, self.thread, order) = (operation, thread, operation.order)
      switch operation {
      case .fence: break
      case .load: reads = true
      case .store: writes = true
      case .add, .exchange: (reads, writes) = (true, true)
      case .compare(_, _, _, _, let failure, _):
        (reads, writes) = (true, !fails)
        if fails { order = failure }
      }
    }
  }

  init(_ test: Litmus) {
    self.test = test
    var exchanges: [(Int, Int)] = []
    for (thread, operations) in test.threads.enumerated() {
      for (index, operation) in operations.enumerated() {
        if case .compare = operation { exchanges.append((thread, index)) }
      }
    }
    for mask in 0..<(1 << exchanges.count) {
      let failing = exchanges.indices.filter { mask >> $0 & 1 == 1 }.map { exchanges[$0] }
      makeEvents { thread, index in failing.contains { $0 == (thread, index) } }
      let writes = (0..<test.locations).map { location in
        events.indices.filter { events[$0].location == location && events[$0].writes }
      }
      let reads = events.indices.filter { events[$0].reads }
      let sources = reads.map { read in
        writes[events[read].location ?? 0].filter { $0 != read }
      }
      // The initial value is the first of its modification order.
      let orders = writes.map { all in
        permutations(of: Array(all.dropFirst())).map { [all[0]] + $0 }
      }
      for source in products(of: sources) {
        let from = Dictionary(uniqueKeysWithValues: zip(reads, source))
        for order in products(of: orders) { judge(from, order) }
      }
    }
  }

  private mutating func makeEvents(failing: (Int, Int) -> Bool) {
    events = (0..<test.locations).map { Event(.store($0, 0, .relaxed), of: -1, fails: false) }
    for (thread, operations) in test.threads.enumerated() {
      for (index, operation) in operations.enumerated() {
        events.append(Event(operation, of: thread, fails: failing(thread, index)))
      }
    }
  }

  // MARK: One execution

  /// - Parameters:
  ///   - from: for each read, the store that it reads.
  ///   - modifications: for each location, its modification order.
  private mutating func judge(_ from: [Int: Int], _ modifications: [[Int]]) {
    var place: [Int: Int] = [:]
    for order in modifications {
      for (index, write) in order.enumerated() { place[write] = index }
    }
    // [atomics.order] 10: an update reads the last value before its own in the order.
    for (read, write) in from where events[read].writes {
      guard place[write].map({ $0 + 1 }) == place[read] else { return }
    }
    guard let outcome = outcome(from, modifications) else { return }
    let sequenced = sequencedBefore
    var synchronised = Relation(events.count)
    addSynchronisation(from, modifications, sequenced, &synchronised)
    let happens = sequenced.union(synchronised).closed
    guard happens.isIrreflexive, isCoherent(from, place, happens) else { return }
    let constraints = constraintsOfS(from, place, sequenced, synchronised, happens)
    guard constraints.closed.isIrreflexive else { return }
    allowed.insert(outcome)
    var run = sequenced.union(constraints)
    for (read, write) in from { run.add(write, read) }
    if run.closed.isIrreflexive { runnable.insert(outcome) }
  }

  /// `nil` if a value depends on itself, or an exchange does what its value forbids.
  private func outcome(_ from: [Int: Int], _ modifications: [[Int]]) -> Litmus.Outcome? {
    var values: [Int: WeakMemory.Value] = [:]
    for event in events.indices where events[event].writes && !events[event].reads {
      values[event] = events[event].operation.written(over: 0)
    }
    for _ in events {
      for (read, write) in from where events[read].writes {
        if let value = values[write] { values[read] = events[read].operation.written(over: value) }
      }
    }
    var reads = test.threads.map { _ in [WeakMemory.Value]() }
    for event in events.indices {
      guard let write = from[event] else { continue }
      guard let value = values[write] else { return nil }
      reads[events[event].thread].append(value)
      guard case .compare(_, let expected, _, _, _, let isWeak) = events[event].operation else {
        continue
      }
      let succeeds = events[event].writes
      if succeeds ? value != expected : value == expected && !isWeak { return nil }
      reads[events[event].thread].append(succeeds ? 1 : 0)
    }
    let ends = modifications.map { values[$0[$0.count - 1]] ?? 0 }
    return Litmus.Outcome(reads: reads, ends: ends)
  }

  /// The initial values come before everything.
  private var sequencedBefore: Relation {
    var result = Relation(events.count)
    for a in events.indices {
      for b in events.indices where a < b {
        if events[a].thread == events[b].thread && events[a].thread >= 0
          || events[a].thread < 0 && events[b].thread >= 0
        {
          result.add(a, b)
        }
      }
    }
    return result
  }

  /// [intro.races] 5: the release sequence headed by a write, or the hypothetical one.
  private func sequence(headedBy write: Int, _ modifications: [[Int]]) -> [Int] {
    guard let location = events[write].location,
      let start = modifications[location].firstIndex(of: write)
    else { return [] }
    let rest = modifications[location][(start + 1)...].prefix { events[$0].reads }
    return [write] + rest
  }

  private func addSynchronisation(
    _ from: [Int: Int], _ modifications: [[Int]], _ sequenced: Relation, _ result: inout Relation
  ) {
    for x in events.indices where events[x].writes && events[x].thread >= 0 {
      let sequence = sequence(headedBy: x, modifications)
      for (y, write) in from where sequence.contains(write) {
        addSynchronisation(x, y, sequenced, &result)
      }
    }
  }

  /// [atomics.order] 2, [atomics.fences] 2 to 4: of a write, and of a read in its release sequence.
  private func addSynchronisation(
    _ x: Int, _ y: Int, _ sequenced: Relation, _ result: inout Relation
  ) {
    let fences = events.indices.filter { events[$0].isFence }
    var releases = fences.filter { events[$0].order.releases && sequenced.has($0, x) }
    if events[x].order.releases { releases.append(x) }
    var acquires = fences.filter { events[$0].order.acquires && sequenced.has(y, $0) }
    if events[y].order.acquires { acquires.append(y) }
    for release in releases {
      for acquire in acquires { result.add(release, acquire) }
    }
  }

  /// [intro.races] 14 to 19.
  private func isCoherent(_ from: [Int: Int], _ place: [Int: Int], _ happens: Relation) -> Bool {
    for a in events.indices {
      for b in events.indices where happens.has(a, b) && events[a].location != nil {
        guard events[a].location == events[b].location else { continue }
        let (writeA, writeB) = (place[a], place[b])
        let (readA, readB) = (from[a].flatMap { place[$0] }, from[b].flatMap { place[$0] })
        if let writeA, let writeB, writeA >= writeB { return false }
        if let readA, let readB, readB < readA { return false }
        if let readA, let writeB, readA >= writeB { return false }
        if let writeA, let readB, readB < writeA { return false }
        // No read sees a store that comes after it.
        if from[a] == b { return false }
      }
    }
    return true
  }

  // MARK: The order S

  /// [atomics.order] 3.
  private func coherenceOrdered(_ from: [Int: Int], _ place: [Int: Int]) -> Relation {
    var result = Relation(events.count)
    for (read, write) in from { result.add(write, read) }
    for a in events.indices {
      for b in events.indices where a != b && events[a].location == events[b].location {
        guard let end = place[b] else { continue }
        if let start = place[a], start < end { result.add(a, b) }
        if let read = from[a].flatMap({ place[$0] }), read < end { result.add(a, b) }
      }
    }
    return result.closed
  }

  /// [atomics.order] 4, and [intro.races] 12.
  private func constraintsOfS(
    _ from: [Int: Int], _ place: [Int: Int], _ sequenced: Relation, _ synchronised: Relation,
    _ happens: Relation
  ) -> Relation {
    var strongly = sequenced
    for a in events.indices {
      for b in events.indices where synchronised.has(a, b) {
        if events[a].isSequential && events[b].isSequential { strongly.add(a, b) }
      }
    }
    strongly = strongly.union(sequenced.after(happens).after(sequenced)).closed
    var result = Relation(events.count)
    let sequential = events.indices.filter { events[$0].isSequential }
    for a in sequential {
      for b in sequential where strongly.has(a, b) { result.add(a, b) }
    }
    let coherence = coherenceOrdered(from, place)
    let fences = sequential.filter { events[$0].isFence }
    for a in events.indices {
      for b in events.indices where coherence.has(a, b) {
        let before = fences.filter { happens.has($0, a) } + (events[a].isSequential ? [a] : [])
        let after = fences.filter { happens.has(b, $0) } + (events[b].isSequential ? [b] : [])
        result.add(before, after)
      }
    }
    return result
  }
}

/// A relation between events.
private struct Relation {
  private var rows: [UInt64]

  init(_ count: Int) { rows = Array(repeating: 0, count: count) }

  func has(_ a: Int, _ b: Int) -> Bool { rows[a] >> UInt64(b) & 1 == 1 }
  mutating func add(_ a: Int, _ b: Int) { rows[a] |= 1 << UInt64(b) }
  mutating func add(_ all: [Int], _ others: [Int]) {
    for a in all {
      for b in others { add(a, b) }
    }
  }

  func union(_ other: Relation) -> Relation {
    var result = self
    for index in rows.indices { result.rows[index] |= other.rows[index] }
    return result
  }

  /// This one, and the other one after it.
  func after(_ other: Relation) -> Relation {
    var result = Relation(rows.count)
    for a in rows.indices {
      for b in rows.indices where has(a, b) { result.rows[a] |= other.rows[b] }
    }
    return result
  }

  var closed: Relation {
    var result = self
    for middle in rows.indices {
      for a in rows.indices where result.has(a, middle) { result.rows[a] |= result.rows[middle] }
    }
    return result
  }

  var isIrreflexive: Bool { !rows.indices.contains { has($0, $0) } }
}

private func permutations(of all: [Int]) -> [[Int]] {
  guard let first = all.first else { return [[]] }
  return permutations(of: Array(all.dropFirst())).flatMap { rest in
    (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
  }
}

/// One element of each.
private func products<Element>(of lists: [[Element]]) -> [[Element]] {
  lists.reduce([[]]) { parts, list in parts.flatMap { part in list.map { part + [$0] } } }
}
