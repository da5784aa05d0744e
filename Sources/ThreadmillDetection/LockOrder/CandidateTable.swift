import ThreadmillModel
import ThreadmillOrders

/// The cycles that have been looked at, for as long as all of their locks live.
///
/// Identifiers are never reused, so a cycle that lost a lock cannot come back.
struct CandidateTable {
  struct Candidate {
    /// What keeps it from being a finding; `.nothing` if it is one.
    var separation: Separation
    var finding: Finding
    /// How often it asked to hear of its locks again.
    var watches = 0
  }

  private(set) var all: [Cycle: Candidate] = [:]
  private(set) var cyclesByLock: [LockID: Set<Cycle>] = [:]
  /// How many of them are findings.
  private(set) var reportedCount = 0

  var count: Int { all.count }
  var droppedCount: Int { all.count - reportedCount }

  subscript(cycle: Cycle) -> Candidate? { all[cycle] }

  func isReported(_ cycle: Cycle) -> Bool { all[cycle]?.separation == .nothing }

  mutating func set(_ candidate: Candidate, for cycle: Cycle) {
    let old = all.updateValue(candidate, forKey: cycle)
    if old?.separation == .nothing { reportedCount -= 1 }
    if candidate.separation == .nothing { reportedCount += 1 }
    for lock in cycle.locks where old == nil { cyclesByLock[lock, default: []].insert(cycle) }
  }

  mutating func countWatch(of cycle: Cycle) { all[cycle]?.watches += 1 }

  /// Forgets every cycle that `lock` is on, and returns those that were reported, in order.
  mutating func remove(_ lock: LockID) -> [(cycle: Cycle, finding: Finding)] {
    let cycles = cyclesByLock.removeValue(forKey: lock) ?? []
    var reported: [(Cycle, Finding)] = []
    for cycle in cycles.inOrder() {
      guard let candidate = all.removeValue(forKey: cycle) else { continue }
      if candidate.separation == .nothing {
        reported.append((cycle, candidate.finding))
        reportedCount -= 1
      }
      for other in cycle.locks where other != lock {
        cyclesByLock[other]?.remove(cycle)
        if cyclesByLock[other]?.isEmpty == true { cyclesByLock[other] = nil }
      }
    }
    all.shrinkIfSparse()
    cyclesByLock.shrinkIfSparse()
    return reported
  }
}

/// Candidates that were dropped, each with its latest reason, in the order of their first.
struct FilteredFindings {
  private var entries: [(cycle: Cycle, finding: Finding)] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var findings: [Finding] { entries.map(\.finding) }

  /// Keeps a finding, in the place of an older one of its cycle. Linear in the limit; `false` if
  /// full.
  mutating func keep(_ finding: Finding, for cycle: Cycle) -> Bool {
    if let index = entries.firstIndex(where: { $0.cycle == cycle }) {
      entries[index].finding = finding
      return true
    }
    guard entries.count < limit else { return false }
    entries.append((cycle, finding))
    return true
  }

  mutating func remove(_ cycle: Cycle) { entries.removeAll { $0.cycle == cycle } }
}
