import ThreadmillModel

/// Locks that stand for each other.
package enum LockClass: Hashable, Sendable {
  /// Made by the same code. How that code came to run is chance where a task runs it, so only its
  /// innermost frames count.
  case made(SharedObject.Kind, [UInt64])
  /// No call makes a `Mutex`: it is known by its property.
  case named(String)
  /// The status locks of all tasks.
  case taskStatus
  /// Nothing but itself.
  case instance(LockID)

  private static let frames = 5

  package init(_ object: KnownObject, _ lock: LockID) {
    if object.kind == .taskStatusLock {
      self = .taskStatus
    } else if let site = object.creationSite {
      self = .made(object.kind, Array(site.prefix(Self.frames)))
    } else if object.kind == .synchronizationMutex, let label = object.label {
      self = .named(label)
    } else {
      self = .instance(lock)
    }
  }
}

/// Which locks were taken inside which over a whole run, by class: unlike the order of instances it
/// forgets nothing when a lock dies. Two locks without a class are left to the order of instances.
///
/// Costs two look-ups for each lock that is held at a nesting that is new. What makes a candidate
/// is asked at the end.
package struct ClassNestings: Sendable {
  /// One nesting, with its locks as they were known.
  package struct Nesting: Sendable {
    package let dependency: Dependency
    package let from: KnownObject
    package let to: KnownObject
    /// The classes of all that was held, in its mode.
    package let held: [LockClass: HoldMode]
  }

  package struct Pair: Hashable, Sendable {
    package var from: LockClass
    package var to: LockClass

    /// Whether it says more than the order of two instances.
    fileprivate var isOfClasses: Bool {
      if case (.instance, .instance) = (from, to) { return false }
      return from != to
    }
  }

  private let mostPairs: Int
  private let mostNestings: Int
  /// At least one nesting for each.
  private var nestings: [Pair: [Nesting]] = [:]
  /// In the order in which they came, so that the same events give the same candidates.
  private var pairs: [Pair] = []

  package init(mostPairs: Int = 4_096, mostNestings: Int = 16) {
    self.mostPairs = mostPairs
    self.mostNestings = mostNestings
  }

  /// Takes a nesting in, unless the same code has made one of the same classes in the same test.
  ///
  /// - Returns: whether there was room for it.
  package mutating func insert(
    _ dependency: Dependency, _ objects: [LockID: KnownObject]
  ) -> Bool {
    let edge = dependency.edge
    guard let from = objects[edge.from], let to = objects[edge.to], from.kind.isOrdered,
      to.kind.isOrdered
    else { return true }
    let pair = Pair(from: LockClass(from, edge.from), to: LockClass(to, edge.to))
    guard pair.isOfClasses else { return true }
    let known = nestings[pair] ?? []
    if known.contains(where: { $0.dependency.isSameCode(as: dependency) }) { return true }
    guard known.count < mostNestings, !known.isEmpty || pairs.count < mostPairs else {
      return false
    }
    if known.isEmpty { pairs.append(pair) }
    let nesting = Nesting(
      dependency: dependency, from: from, to: to,
      held: Self.classes(dependency.acquisition.held, objects))
    nestings[pair, default: []].append(nesting)
    return true
  }

  private static func classes(
    _ held: [Acquisition.Holding], _ objects: [LockID: KnownObject]
  ) -> [LockClass: HoldMode] {
    let classes = held.compactMap { holding in
      objects[holding.lock].map { (LockClass($0, holding.lock), holding.mode) }
    }
    return Dictionary(classes) { $0 == .exclusive ? $0 : $1 }
  }

  /// Two nestings for each two classes that were nested both ways round and may deadlock: if there
  /// are any, in one test.
  package var opposites: [(Nesting, Nesting)] {
    var seen: Set<Pair> = []
    return pairs.compactMap { pair in
      let back = Pair(from: pair.to, to: pair.from)
      seen.insert(pair)
      guard !seen.contains(back), let others = nestings[back] else { return nil }
      return Self.meeting(nestings[pair] ?? [], others)
    }
  }

  private static func meeting(_ some: [Nesting], _ others: [Nesting]) -> (Nesting, Nesting)? {
    var found: (Nesting, Nesting)?
    for one in some {
      for other in others where one.mayMeet(other) {
        if !one.tests(with: other).isEmpty { return (one, other) }
        found = found ?? (one, other)
      }
    }
    return found
  }
}

extension ClassNestings.Nesting {
  /// Whether two threads can deadlock that do this with locks of the same classes.
  ///
  /// Two nestings of the same two instances are a candidate only if this run put one before the
  /// other: if nothing did, the order of instances has told of them. A lock of one class that both
  /// hold counts as one lock, but each task has a status lock of its own. Nestings of one strand
  /// alone are no reason to try two.
  fileprivate func mayMeet(_ other: Self) -> Bool {
    let (a, b) = (dependency, other.dependency)
    guard a.acquisition.wantedMode.excludes(b.heldMode),
      b.acquisition.wantedMode.excludes(a.heldMode)
    else { return false }
    let isGuarded = held.contains { lock, mode in
      lock != .taskStatus && other.held[lock].map(mode.excludes) == true
    }
    if isGuarded { return false }
    switch a.separation(from: b) {
    case .nothing: return a.edge != Edge(from: b.edge.to, to: b.edge.from)
    case .order: return true
    case .strand, .mainThread, .gate: return false
    }
  }

  /// The tests that did both, sorted. A nesting without a test may be any test's.
  package func tests(with other: Self) -> [String] {
    let (a, b) = (Set(dependency.acquisition.tests), Set(other.dependency.acquisition.tests))
    return (a.isEmpty || b.isEmpty ? a.union(b) : a.intersection(b)).sorted()
  }
}

extension Dependency {
  /// The runtime has some frames of its own between a lock and the code that it takes it for.
  private static var frames: Int { 8 }

  fileprivate func isSameCode(as other: Dependency) -> Bool {
    let (a, b) = (acquisition, other.acquisition)
    return a.tests == b.tests && a.wantedMode == b.wantedMode && heldMode == other.heldMode
      && Self.isSameCode(a.stack, b.stack)
      && Self.isSameCode(a.site(of: edge.from), b.site(of: other.edge.from))
  }

  private static func isSameCode(_ a: StoredStack?, _ b: StoredStack?) -> Bool {
    (a?.addresses ?? []).prefix(frames) == (b?.addresses ?? []).prefix(frames)
  }
}

extension SharedObject.Kind {
  /// Whether it is a lock or queue that only its holder gives back.
  fileprivate var isOrdered: Bool {
    switch self {
    case .mutex, .recursiveMutex, .readWriteLock, .spinLock, .synchronizationMutex,
      .taskStatusLock, .serialQueue, .concurrentQueue:
      true
    case .semaphore, .condition, .group, .thread, .once, .actor, .operation, .continuation, .task,
      .source, .workItem, .confined:
      false
    }
  }
}
