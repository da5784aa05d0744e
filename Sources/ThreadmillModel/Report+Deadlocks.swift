extension Report {
  /// The report of one process without the lock order cycles whose deadlock happened in it: the
  /// deadlock says all that such a cycle says.
  ///
  /// The tests of the cycle become tests of the deadlock. A cycle of the same locks at other places
  /// is another mistake, and stays.
  package var withoutCyclesOfDeadlocks: Report {
    var result = self
    for cycle in findings where cycle.kind == .lockOrderCycle && cycle.status == .potential {
      guard let deadlock = result.findings.firstIndex(where: cycle.isBehind) else { continue }
      result.findings[deadlock].tests = Set(result.findings[deadlock].tests).union(cycle.tests)
        .sorted()
      result.findings.removeAll { $0 == cycle }
    }
    return result
  }

  /// The report of one process without what follows from a deadlock: hangs of its threads, and a
  /// pool that is starved because its threads are in the deadlock.
  ///
  /// The tests and the facts of such a finding become those of the deadlock. A finding with one
  /// more thread stays: what that thread does may be another mistake.
  package var withoutConsequencesOfDeadlocks: Report {
    var result = self
    for follower in findings {
      guard let deadlock = result.findings.firstIndex(where: follower.follows(from:)) else {
        continue
      }
      result.findings[deadlock].tests = Set(result.findings[deadlock].tests).union(follower.tests)
        .sorted()
      result.findings[deadlock].facts += follower.facts
      result.findings.removeAll { $0 == follower }
    }
    return result
  }
}

extension Finding {
  /// Whether each thread of the hang, or of the starved pool, waits in the deadlock for the same.
  fileprivate func follows(from other: Finding) -> Bool {
    guard kind == .hang || kind == .poolStarvation, severity == .error,
      other.kind == .deadlock, other.status == .observed
    else { return false }
    return !participants.isEmpty
      && participants.allSatisfy { one in
        other.participants.contains { $0.thread == one.thread && $0.waits(like: one) }
      }
  }

  /// Whether each thread of the cycle is one of the deadlock.
  ///
  /// ``CyclePlaces`` compares addresses. A report that was read from a file has none, so this
  /// compares names and lines.
  fileprivate func isBehind(_ other: Finding) -> Bool {
    guard other.kind == .deadlock, other.status == .observed else { return false }
    let wanted = Set(participants.compactMap(\.wants))
    return participants.count == other.participants.count && !participants.isEmpty
      && participants.allSatisfy { one in
        other.participants.contains { one.isSame(as: $0, holding: wanted) }
      }
  }
}

extension Finding.Participant {
  /// Not every thread of a deadlock has a stack of where it waits.
  fileprivate func waits(like other: Self) -> Bool {
    wants != nil && wants == other.wants
      && (frames.isEmpty || frames.firstUserFrame == other.frames.firstUserFrame)
  }

  /// - Parameter other: a thread of the deadlock.
  fileprivate func isSame(as other: Self, holding locks: Set<LockID>) -> Bool {
    other.waits(like: self) && taken(locks) == other.taken(locks)
  }

  /// Where it took those of the locks that it holds.
  private func taken(_ locks: Set<LockID>) -> [LockID: Frame?] {
    let held = holds.filter { locks.contains($0.object) }
    return Dictionary(held.map { ($0.object, $0.frames.firstUserFrame) }) { first, _ in first }
  }
}
