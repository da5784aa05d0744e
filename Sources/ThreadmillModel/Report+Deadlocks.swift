extension Report {
  /// The report of one process without the lock order cycles whose deadlock happened in it: the
  /// deadlock says all that the cycle says.
  ///
  /// The tests of such a cycle become tests of the deadlock.
  package var withoutCyclesOfDeadlocks: Report {
    var result = self
    for cycle in findings where cycle.kind == .lockOrderCycle && cycle.status == .potential {
      let wanted = Set(cycle.participants.compactMap(\.wants))
      let deadlock = result.findings.firstIndex { finding in
        finding.kind == .deadlock && finding.status == .observed && !wanted.isEmpty
          && Set(finding.participants.compactMap(\.wants)) == wanted
      }
      guard let deadlock else { continue }
      result.findings[deadlock].tests = Set(result.findings[deadlock].tests).union(cycle.tests)
        .sorted()
      result.findings.removeAll { $0 == cycle }
    }
    return result
  }
}
