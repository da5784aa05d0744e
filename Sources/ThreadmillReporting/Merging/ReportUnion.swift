import ThreadmillModel

/// Reports of runs and shards as one, as a set is made of sets: in any order, in any grouping, and
/// however often one of them comes, the result is the same to the byte.
///
/// Each report that is no union itself is a source, known by the digest of its content; a union
/// carries its sources along (`Report.sources`), with what they have counted. So a union can be
/// merged again, with its own parts and with other unions that share some.
///
/// * Counts, processes, accounts, profiles, lock graphs and traces are sums over the sources; tests
///   are united, and the worst result of a test and its longest exploration count.
/// * The details of a finding are those of the strongest sight of it (by status, then severity), of
///   equals that with the lowest seed, of these that with the lowest digest.
/// * What all sources agree on (identity, mode, jitter, seed) stays; see ``Report/Run``.
package struct ReportUnion: Sendable {
  private var sources: [String: Report.Source] = [:]
  private var sights: [String: FindingSight] = [:]
  private var candidates: [String: FindingSight] = [:]
  private var tests: [String: TestResult] = [:]
  private var explorations: [String: ExploredTest] = [:]

  package init() {}

  package var isEmpty: Bool { sources.isEmpty }

  /// Takes a report in.
  ///
  /// - Returns: whether anything in it was new; `false` for one that has been counted already.
  @discardableResult
  package mutating func add(_ stored: StoredReport) -> Bool {
    let before = sources.count
    for source in stored.sources { sources[source.digest] = sources[source.digest] ?? source }
    // Again for one that was counted: it may have been judged otherwise.
    for (finding, fingerprint) in zip(stored.report.findings, stored.fingerprints) {
      let sight = FindingSight(finding, fingerprint)
      if sights[fingerprint]?.absorb(sight) == nil { sights[fingerprint] = sight }
    }
    for candidate in stored.report.classCandidates {
      let sight = FindingSight(candidate, candidate.fingerprint)
      if candidates[sight.fingerprint]?.absorb(sight) == nil {
        candidates[sight.fingerprint] = sight
      }
    }
    for test in stored.report.tests {
      tests[test.name] = tests[test.name]?.merged(with: test) ?? test
    }
    for test in stored.report.explorations {
      explorations[test.test] = explorations[test.test]?.merged(with: test) ?? test
    }
    return sources.count > before
  }

  /// All of them as one. A union of one source says nothing of it, unless it has to.
  package var report: Report {
    let ordered = sources.values.sorted { $0.digest < $1.digest }
    var accounting: [String: Int] = [:]
    var counts: [String: Int] = [:]
    for source in ordered {
      accounting.merge(source.accounting, uniquingKeysWith: Report.sum)
      counts.merge(source.counts, uniquingKeysWith: Report.sum)
    }
    let profiles = ordered.compactMap(\.profile)
    let graphs = ordered.compactMap(\.lockGraph)
    let traces = ordered.compactMap(\.trace)
    var report = Report(
      findings: findings(counts), classCandidates: untriedCandidates,
      run: .union(of: ordered.map(\.run)),
      tests: TestResult.merged(tests.values),
      explorations: ExploredTest.merged(explorations.values), accounting: accounting,
      profile: profiles.dropFirst().reduce(profiles.first) { $0?.merged(with: $1) },
      lockGraph: graphs.dropFirst().reduce(graphs.first) { $0?.merged(with: $1) },
      trace: traces.dropFirst().reduce(traces.first) { $0?.merged(with: $1) })
    let isItsOwn = ordered.count == 1 && StoredReport(report).sources == ordered
    report.sources = isItsOwn ? [] : ordered
    return report
  }

  /// A cycle that is a finding in one of the reports is no candidate. No report says how often a
  /// candidate was seen.
  private var untriedCandidates: [Finding] {
    candidates.values.filter { sights[$0.fingerprint] == nil }
      .sorted { $0.fingerprint < $1.fingerprint }.map { $0.finding(count: 1) }
  }

  /// In the order of reports.
  private func findings(_ counts: [String: Int]) -> [Finding] {
    let ordered = sights.values.sorted { a, b in
      let (x, y) = (a.finding.rank, b.finding.rank)
      return x == y ? a.fingerprint < b.fingerprint : x < y
    }
    return ordered.map { $0.finding(count: counts[$0.fingerprint, default: 0]) }
  }
}

extension Report.Run {
  /// - Parameter runs: in an order that is always the same; not empty.
  fileprivate static func union(of runs: [Report.Run]) -> Report.Run {
    func common<Value: Hashable>(_ value: (Report.Run) -> Value?) -> Value? {
      let values = Set(runs.map(value))
      return values.count == 1 ? values.first ?? nil : nil
    }
    func all(_ value: (Report.Run) -> String?) -> String? {
      let values = Set(runs.compactMap(value).flatMap { $0.split(separator: "+") }).sorted()
      return values.isEmpty ? nil : values.joined(separator: "+")
    }
    let drawn = common { [$0.jitter?.rawValue, $0.seed?.description] }
    return Report.Run(
      id: common(\.id) ?? ContentDigest.text(of: Set(runs.map(\.id)).sorted()),
      processes: runs.map(\.processes).reduce(0, Report.sum), mode: all(\.mode) ?? "",
      sanitizer: all(\.sanitizer), jitter: drawn == nil ? nil : runs[0].jitter,
      seed: drawn == nil ? nil : runs[0].seed,
      coverage: runs.compactMap(\.coverage).max {
        ($0.pairs, $0.lockPairs) < ($1.pairs, $1.lockPairs)
      }, shard: common(\.shard))
  }
}
