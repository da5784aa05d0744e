import ThreadmillModel
import ThreadmillOrders

/// The order in which locks are nested, and the cycles in it: where the program could deadlock.
///
/// Nodes are instances; an edge leads from a held lock to a wanted one and remembers who took it,
/// when, and under what. A cycle of edges is a candidate, and a finding only if its acquisitions
/// can meet (see ``Separation``). The rule for that is the one of P. Joshi, C.-S. Park, K. Sen and
/// M. Naik, "A Randomized Dynamic Program Analysis Technique for Detecting Real Deadlocks", PLDI
/// 2009; this one works edge by edge while the program runs, knows readers from writers, and asks
/// the clocks, too.
///
/// A value without a lock of its own: whoever owns it calls it from one thread at a time.
package struct LockOrderGraph {
  package enum Verdict: Hashable, Sendable {
    /// Said once for each cycle.
    case finding(Finding)
    /// A cycle that one strand made alone. Said once for each piece of code, a bounded number of
    /// times.
    case note(Finding)
    /// A candidate over these locks was dropped for a reason that another thread or moment would
    /// void.
    ///
    /// Their next nesting is news, however often it was seen. Said a bounded number of times.
    case watch([LockID])
  }

  let limits: LockOrderLimits
  var objects: [LockID: KnownObject] = [:]
  var disqualified: Set<LockID> = []
  var order = ComponentOrder()
  /// One list for each edge of `order`, never empty.
  var dependencies: [Edge: DependencyList] = [:]
  var candidates = CandidateTable()
  var dropped: FilteredFindings
  /// Dependencies by class, which also stay when their locks have died.
  var classNestings = ClassNestings()
  /// The classes of locks of each finding.
  var toldClasses: Set<Set<LockClass>> = []
  /// The classes about which there was a warning, by their creation stacks.
  var warnedClasses: Set<[UInt64]> = []
  var oneThreadCycles = OneThreadCycles()
  var counts: [LockOrderCounter: Int] = [:]
  var searchSteps = 0

  package init(limits: LockOrderLimits = LockOrderLimits()) {
    self.limits = limits
    self.dropped = FilteredFindings(limit: limits.filteredFindings)
  }

  /// Dropped candidates with status `filtered` and the reason, as many as are kept.
  package var filtered: [Finding] { dropped.findings }

  /// The counts of what was left out, by name, without zeros.
  package var accounting: [String: Int] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
  }

  /// Nodes and edges looked at so far, as the measure of work.
  package var visited: Int { order.visited + searchSteps }

  /// The entry of a lock that was declared and not retired.
  package func object(_ lock: LockID) -> SharedObject? { objects[lock]?.object(lock) }

  /// Makes an instance known. A lock that was not declared makes no edges.
  package mutating func declare(_ object: SharedObject) {
    objects[object.id] = KnownObject(object)
  }

  /// Takes in that a thread that holds something is about to wait; says what follows from it.
  ///
  /// A lock that the thread holds already makes no edge. An acquisition that agrees with the order
  /// costs constant time for each lock held; otherwise see ``ComponentOrder`` and
  /// ``LockOrderLimits``.
  package mutating func nested(_ event: NestedAcquisition) -> [Verdict] {
    let held = event.held.filter { !disqualified.contains($0.lock) }
    let wanted = event.wanted.lock
    guard !disqualified.contains(wanted), !held.contains(where: { $0.lock == wanted }),
      isDeclared(wanted)
    else { return [] }
    let acquisition = Acquisition(event, held: held)
    var seen: Set<LockID> = []
    var verdicts: [Verdict] = []
    for hold in held where seen.insert(hold.lock).inserted && isDeclared(hold.lock) {
      guard let dependency = Dependency(held: hold.lock, acquisition: acquisition) else { continue }
      noteClasses(of: dependency, objects)
      verdicts += add(dependency)
    }
    return verdicts
  }

  /// Takes in a nesting some of whose locks are gone by now: it counts for classes alone.
  package mutating func nestedBefore(_ event: NestedAcquisition, _ locks: [SharedObject]) {
    let acquisition = Acquisition(event, held: event.held)
    let known = Dictionary(locks.map { ($0.id, KnownObject($0)) }) { first, _ in first }
    for lock in Set(event.held.map(\.lock)) where lock != event.wanted.lock {
      guard let dependency = Dependency(held: lock, acquisition: acquisition) else { continue }
      noteClasses(of: dependency, known)
    }
  }

  private mutating func noteClasses(of dependency: Dependency, _ known: [LockID: KnownObject]) {
    if !classNestings.insert(dependency, known) { count(.lockClassOrdersNotKept) }
  }

  mutating func count(_ counter: LockOrderCounter) { counts[counter, default: 0] += 1 }

  private mutating func isDeclared(_ lock: LockID) -> Bool {
    if objects[lock] != nil { return true }
    count(.lockUndeclared)
    return false
  }
}
