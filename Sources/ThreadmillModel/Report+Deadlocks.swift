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
}

extension Finding {
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
  fileprivate func isSame(as other: Self, holding locks: Set<LockID>) -> Bool {
    wants != nil && wants == other.wants && taken(locks) == other.taken(locks)
      && (other.frames.isEmpty || frames.firstUserFrame == other.frames.firstUserFrame)
  }

  /// Where it took those of the locks that it holds.
  private func taken(_ locks: Set<LockID>) -> [LockID: Frame?] {
    let held = holds.filter { locks.contains($0.object) }
    return Dictionary(held.map { ($0.object, $0.frames.firstUserFrame) }) { first, _ in first }
  }
}
