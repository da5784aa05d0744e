import ThreadmillModel

/// A report together with what it was made of.
package struct StoredReport: Hashable, Sendable {
  package let report: Report
  /// Those of its findings, in their order.
  let fingerprints: [String]
  /// Itself, for a report that is no union.
  package let sources: [Report.Source]

  package init(_ report: Report) {
    self.init(report) { ContentDigest.text(of: JSONReport.json(of: report)) }
  }

  /// Reads a file; see `JSONReport.report(from:)`. The digest is that of the text, so that what
  /// another version wrote keeps it.
  ///
  /// - Parameter stacks: those of the files that were read before; knows this one's afterwards.
  package init(
    parsing bytes: [UInt8], knowing stacks: KnownStacks = KnownStacks()
  ) throws(ReportFormatError) {
    self = try JSONReader.read(bytes, knowing: stacks) { json throws(ReportFormatError) in
      StoredReport(try JSONReport.report(json)) { ContentDigest.text(of: json) }
    }
  }

  private init(_ report: Report, digest: () -> String) {
    self.report = report
    let fingerprints = report.findings.map(\.fingerprint)
    self.fingerprints = fingerprints
    sources =
      report.sources.isEmpty ? [Self.source(report, fingerprints, digest())] : report.sources
  }

  private static func source(
    _ report: Report, _ fingerprints: [String], _ digest: String
  ) -> Report.Source {
    var counts: [String: Int] = [:]
    for (finding, fingerprint) in zip(report.findings, fingerprints) {
      counts[fingerprint] = Report.sum(counts[fingerprint, default: 0], finding.count)
    }
    return Report.Source(
      digest: digest, run: report.run, accounting: report.accounting, counts: counts,
      profile: report.profile, lockGraph: report.lockGraph, trace: report.trace)
  }
}
