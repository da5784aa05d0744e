import ThreadmillModel

/// A report together with what it was made of.
package struct StoredReport: Hashable, Sendable {
  package let report: Report
  /// Itself, for a report that is no union.
  package let sources: [Report.Source]

  /// - Parameter json: the text that it was read from; its own by default. What another version
  ///   wrote keeps its digest that way.
  init(_ report: Report, from json: JSON? = nil) {
    self.report = report
    if report.sources.isEmpty {
      sources = [Self.source(report, ContentDigest.text(of: json ?? JSONReport.json(of: report)))]
    } else {
      sources = report.sources
    }
  }

  package init(_ report: Report) { self.init(report, from: nil) }

  /// Reads a file; see `JSONReport.report(from:)`.
  package init(parsing bytes: [UInt8]) throws(ReportFormatError) {
    let json: JSON
    do { json = try JSON(parsing: bytes) } catch { throw .syntax(error) }
    self.init(try JSONReport.report(from: json), from: json)
  }

  private static func source(_ report: Report, _ digest: String) -> Report.Source {
    var counts: [String: Int] = [:]
    for finding in report.findings {
      let fingerprint = finding.fingerprint
      counts[fingerprint] = Report.sum(counts[fingerprint, default: 0], finding.count)
    }
    return Report.Source(
      digest: digest, run: report.run, accounting: report.accounting, counts: counts,
      profile: report.profile, lockGraph: report.lockGraph, trace: report.trace)
  }
}
