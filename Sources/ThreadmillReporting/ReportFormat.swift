import ThreadmillModel

/// A form in which a report can be written. The raw value is the name of the switch.
///
/// Equal reports and contexts give equal bytes, in every format.
package enum ReportFormat: String, CaseIterable, Sendable {
  case dot
  case html
  case json
  case text
  case trace

  /// What the file is for, as the object of "Write … to this file".
  package var sentence: String {
    switch self {
    case .dot: "the order of locks for Graphviz, of the whole run where it was kept (graph=true),"
    case .html: "the report as one page for a browser, with drawings and filters,"
    case .json: "the report as JSON, which can be merged and converted later"
    case .text: "the report as plain text"
    case .trace: "what threads did, and when (trace=true), as a trace for Perfetto,"
    }
  }

  package func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    switch self {
    case .dot: DOTReport.bytes(of: report, context)
    case .html: HTMLReport.bytes(of: report, context)
    case .json: JSONReport.bytes(of: report)
    case .text: Array(TextReport(folder: context.folder).text(for: report).utf8)
    case .trace: ChromeTrace.bytes(of: report, context)
    }
  }
}
