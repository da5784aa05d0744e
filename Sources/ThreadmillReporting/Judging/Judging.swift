import ThreadmillModel

/// Holds a report against what is known and what is suppressed. Says nothing and reads nothing: the
/// day is an argument, too.
package struct Judging: Hashable, Sendable {
  /// `nil` where nobody has one.
  package var baseline: Baseline?
  package var suppressions: Suppressions?
  package var today: Day

  package init(baseline: Baseline? = nil, suppressions: Suppressions? = nil, today: Day) {
    self.baseline = baseline
    self.suppressions = suppressions
    self.today = today
  }

  /// A report with its judgements, and what is worth saying about the files.
  package struct Outcome: Hashable, Sendable {
    package var report: Report
    /// Entries of the suppressions that no finding has met, though they were in force.
    package var unused: [Suppression] = []
    /// Entries whose day is over. Findings that they would match count.
    package var expired: [Suppression] = []
    /// What the baseline says about findings that did not occur, in the order of fingerprints.
    package var gone: [String] = []
  }

  /// Judges each finding that is not a dropped candidate: it is suppressed by the first entry in
  /// force that matches, or else known or new.
  ///
  /// Earlier judgements stay, where nothing here speaks about them: a suppression without
  /// suppressions, known and new without a baseline.
  package func judge(_ report: Report) -> Outcome {
    var outcome = Outcome(report: report)
    let entries = suppressions?.entries ?? []
    let inForce = entries.filter { !$0.isExpired(on: today) }
    var used: Set<Int> = []
    var seen: Set<String> = []
    for index in report.findings.indices where report.findings[index].status != .filtered {
      let finding = report.findings[index]
      if baseline != nil { seen.insert(finding.fingerprint) }
      let matching = inForce.filter { $0.matches(finding) }
      used.formUnion(matching.map(\.line))
      outcome.report.findings[index].judgement = judgement(of: finding, by: matching.first)
    }
    outcome.expired = entries.filter { $0.isExpired(on: today) }
    outcome.unused = inForce.filter { !used.contains($0.line) }
    outcome.gone = (baseline?.entries ?? [:]).filter { !seen.contains($0.key) }
      .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return outcome
  }

  /// The judgement of one finding by itself.
  package func judgement(of finding: Finding) -> Finding.Judgement? {
    let entries = suppressions?.entries ?? []
    return judgement(
      of: finding, by: entries.first { !$0.isExpired(on: today) && $0.matches(finding) })
  }

  private func judgement(
    of finding: Finding, by entry: Suppression?
  ) -> Finding.Judgement? {
    if let entry, let suppressions {
      return .suppressed(reason: entry.reason, by: "\(suppressions.file):\(entry.line)")
    }
    let earlier = suppressions != nil && finding.isSuppressed ? nil : finding.judgement
    if case .suppressed = earlier { return earlier }
    guard let baseline else { return earlier }
    return baseline.entries[finding.fingerprint] == nil ? .new : .known
  }
}
