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

  /// The report of one process without the hangs of threads that are in a deadlock: the deadlock
  /// says all that such a hang says.
  ///
  /// The tests and the facts of the hang become those of the deadlock. A hang with one more thread
  /// stays: what that thread does may be another mistake.
  package var withoutHangsOfDeadlocks: Report {
    var result = self
    for hang in findings where hang.kind == .hang && hang.severity == .error {
      guard let deadlock = result.findings.firstIndex(where: hang.isHang(of:)) else { continue }
      result.findings[deadlock].tests = Set(result.findings[deadlock].tests).union(hang.tests)
        .sorted()
      result.findings[deadlock].facts += hang.facts
      result.findings.removeAll { $0 == hang }
    }
    return result
  }
}

extension Finding {
  /// Whether each thread of the hang waits in the deadlock for the same.
  fileprivate func isHang(of other: Finding) -> Bool {
    guard other.kind == .deadlock, other.status == .observed else { return false }
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
