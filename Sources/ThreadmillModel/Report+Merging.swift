extension Report {
  /// Both reports as one, as if one process had made them.
  ///
  /// * Findings with one fingerprint become one: counts add up, tests are united. Everything else
  ///   is that of the stronger one (by status, then severity); of two equals, that of `self`.
  /// * Candidates are merged like findings; one whose cycle is a finding is left out.
  /// * Findings are ordered: the most severe first, then by kind, then by fingerprint.
  /// * Results of one test become one; of its explorations the one with more schedules counts.
  /// * Profiles, lock graphs and traces are merged, where both have one.
  /// * Processes and accounts add up; mode, sanitizer, and jitter with its seed are those of `self`
  ///   where it has them. Coverage is the greater one: nobody knows which pairs both have seen.
  ///
  /// Associative. Commutative in all but what is taken from `self` among equals. Not idempotent,
  /// since counts add up: merge each process's report once. Sums that do not fit stay at `Int.max`.
  /// Whether both belong to one run is the caller's to know; `run.id` is that of `self`. Reports
  /// that may share some of their processes are for `ReportUnion`.
  package func merged(with other: Report) -> Report {
    var result = self
    result.findings = Self.merged(findings + other.findings)
    result.classCandidates = Self.merged(classCandidates + other.classCandidates)
    result.leaveOutKnownCandidates()
    result.run.processes = Self.sum(run.processes, other.run.processes)
    result.run.sanitizer = run.sanitizer ?? other.run.sanitizer
    if run.jitter == nil {
      (result.run.jitter, result.run.seed) = (other.run.jitter, other.run.seed)
    }
    result.run.coverage = [run.coverage, other.run.coverage].compactMap(\.self)
      .max { ($0.pairs, $0.lockPairs) < ($1.pairs, $1.lockPairs) }
    result.tests = TestResult.merged(tests + other.tests)
    result.explorations = ExploredTest.merged(explorations + other.explorations)
    result.accounting.merge(other.accounting, uniquingKeysWith: Self.sum)
    result.sources = []
    result.profile = other.profile.map { profile?.merged(with: $0) ?? $0 } ?? profile
    result.lockGraph = other.lockGraph.map { lockGraph?.merged(with: $0) ?? $0 } ?? lockGraph
    result.trace = other.trace.map { trace?.merged(with: $0) ?? $0 } ?? trace
    return result
  }

  /// One finding for each fingerprint, in the order of reports.
  private static func merged(_ findings: [Finding]) -> [Finding] {
    var merged: [String: Finding] = [:]
    for finding in findings { merged[finding.fingerprint, default: finding.empty].absorb(finding) }
    let ordered = merged.sorted { a, b in
      let (x, y) = (a.value.rank, b.value.rank)
      return x == y ? a.key < b.key : x < y
    }
    return ordered.map(\.value)
  }

  /// Drops each candidate whose cycle is a finding.
  package mutating func leaveOutKnownCandidates() {
    if classCandidates.isEmpty { return }
    let known = Set(findings.map(\.fingerprint))
    classCandidates.removeAll { known.contains($0.fingerprint) }
  }

  /// The sum, or `Int.max` if it does not fit; neither is below 0.
  package static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}

extension Finding {
  /// The same, never seen: what absorbing starts from.
  fileprivate var empty: Finding {
    var empty = self
    empty.count = 0
    empty.tests = []
    return empty
  }

  /// The place in the order of a report, fingerprints aside.
  package var rank: (Int, Int) { (severity.rank, kind.rank) }

  /// Adds what another finding of the same fingerprint knows; takes its details if it is the
  /// stronger one.
  fileprivate mutating func absorb(_ other: Finding) {
    let count = Report.sum(count, other.count)
    let tests = Set(tests).union(other.tests).sorted()
    if (other.status.rank, other.severity.rank) < (status.rank, severity.rank) { self = other }
    self.count = count
    self.tests = tests
    if confirmation == nil, status == other.status { confirmation = other.confirmation }
  }
}

extension Finding.Severity {
  /// 0 for the most severe.
  package var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .note: 2
    }
  }
}

extension Finding.Status {
  /// 0 for the one that says most: what can be run again, then what happened, then what might.
  package var rank: Int {
    switch self {
    case .confirmed: 0
    case .observed: 1
    case .potential: 2
    case .filtered: 3
    }
  }
}

extension Finding.Kind {
  /// The place in the order in which kinds are declared.
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
