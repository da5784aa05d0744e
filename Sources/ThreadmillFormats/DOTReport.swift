import ThreadmillModel
import ThreadmillReporting

/// The order of locks for Graphviz: that of the whole run where the report has it, else who waits
/// for whom in each finding.
package struct DOTReport {
  private let report: Report
  private let text: TextReport

  package static func bytes(of report: Report, _ context: ReportContext) -> [UInt8] {
    DOTReport(report: report, text: TextReport(folder: context.folder)).bytes
  }

  private static let red: DOTWriter.Attribute = ("color", .word("firebrick"))

  private var bytes: [UInt8] {
    var writer = DOTWriter([("rankdir", .word("LR")), ("fontname", .word("sans"))])
    writer.defaults(
      of: "node",
      [("shape", .word("box")), ("style", .word("rounded")), ("fontname", .word("sans"))])
    writer.defaults(of: "edge", [("fontname", .word("sans")), ("fontsize", .word("10"))])
    if let graph = report.lockGraph {
      write(graph, &writer)
    } else {
      let shown = report.findings.filter { $0.status != .filtered }
      for (number, finding) in shown.enumerated() { write(finding, number, &writer) }
    }
    return writer.finished()
  }

  // MARK: The whole run

  /// Draws cycles of classes in red. The locks of such a cycle need not be the same ones.
  private func write(_ graph: LockGraph, _ writer: inout DOTWriter) {
    let cycles = graph.cycles
    for (index, one) in graph.classes.enumerated() {
      let mark = cycles[index] == nil ? [] : [Self.red]
      writer.node("c\(index)", [("label", .lines(lines(one)))] + mark)
    }
    for edge in graph.edges {
      let isOnCycle = cycles[edge.from] != nil && cycles[edge.from] == cycles[edge.to]
      let mark: [DOTWriter.Attribute] = isOnCycle ? [Self.red, ("penwidth", .word("2"))] : []
      var label = ["× \(edge.count)"]
      if let place = place(edge.place) { label.append(place) }
      writer.edge("c\(edge.from)", "c\(edge.to)", [("label", .lines(label))] + mark)
    }
  }

  private func lines(_ one: LockGraph.LockClass) -> [String] {
    var lines = [one.kind.noun + (one.label.map { " \"\($0)\"" } ?? "")]
    if let frame = one.place.firstUserFrame { lines.append(frame.nameWithOffset) }
    if let place = place(one.place) { lines.append((one.isFirstUse ? "used at " : "") + place) }
    return lines
  }

  private func place(_ stack: Backtrace) -> String? {
    stack.first { !$0.isSystem && $0.line != nil }.flatMap(text.place(of:))
  }

  // MARK: Findings

  private func write(_ finding: Finding, _ number: Int, _ writer: inout DOTWriter) {
    let graph = FindingGraph(finding.participants)
    guard !graph.edges.isEmpty else { return }
    let names = FindingNames(finding, finding.participants, text)
    let isCycle = graph.levels == nil
    func id(_ node: FindingGraph.Node) -> String {
      let place = graph.nodes.firstIndex(of: node) ?? 0
      return "f\(number)n\(place)"
    }
    writer.cluster(number, label: [finding.title, finding.kind.rawValue]) { writer in
      for node in graph.nodes {
        switch node {
        case .object(let object):
          let lines = [names.name(object)] + [names.origin(object)].compactMap(\.self)
          writer.node(id(node), [("label", .lines(lines))])
        case .threads(let threads):
          writer.node(
            id(node), [("label", .lines([names.names(of: threads)])), ("shape", .word("oval"))])
        }
      }
      for edge in graph.edges {
        writer.edge(
          id(edge.from), id(edge.to),
          [("label", .lines([names.names(of: edge.threads)]))] + (isCycle ? [Self.red] : []))
      }
    }
  }
}
