import ThreadmillModel
import ThreadmillReporting

/// A form in which a report can be written. The raw value is the name of the switch.
///
/// Equal reports and contexts give equal bytes, in every format.
package enum ReportFormat: String, CaseIterable, Sendable {
  case dot
  case github
  case html
  case json
  case junit
  case markdown
  case sarif
  case text
  case trace

  /// What "Write to this file" goes on with: the form of the report, and what it is for.
  package var sentence: String {
    switch self {
    case .dot: "the order of locks, as a drawing for Graphviz"
    case .github: "the report as annotations of a GitHub workflow; - is the output of the step"
    case .html: "the report as one page for a browser, with drawings and filters"
    case .json: "the report as JSON, which can be merged and converted later"
    case .junit: "the report as JUnit XML, with findings as failures of their tests"
    case .markdown: "the report as Markdown, for the summary of a job"
    case .sarif: "the report as SARIF 2.1.0, for code scanning and viewers"
    case .text: "the report as plain text"
    case .trace: "what threads did, and when, as a trace for Perfetto"
    }
  }

  package func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    switch self {
    case .dot: DOTReport.bytes(of: report, context)
    case .github: GitHubReport.bytes(of: report, context)
    case .html: HTMLReport.bytes(of: report, context)
    case .json: JSONReport.bytes(of: report)
    case .junit: JUnitReport.bytes(of: report, context)
    case .markdown: MarkdownReport.bytes(of: report, context)
    case .sarif: SARIFReport.bytes(of: report, context)
    case .text: Array(TextReport(context).text(for: report).utf8)
    case .trace: ChromeTrace.bytes(of: report, context)
    }
  }
}
