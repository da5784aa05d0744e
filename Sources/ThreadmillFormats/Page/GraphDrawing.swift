import ThreadmillModel
import ThreadmillReporting

/// The graph of one finding as a drawing: who holds what and waits for what.
struct GraphDrawing {
  private let graph: FindingGraph
  private let layout: GraphLayout
  private let names: FindingNames

  /// `nil` where nobody waits for anything.
  init?(_ participants: [Finding.Participant], _ names: FindingNames) {
    graph = FindingGraph(participants)
    guard !graph.edges.isEmpty else { return nil }
    layout = GraphLayout(graph)
    self.names = names
  }

  var html: HTML {
    let hasLoop = graph.edges.contains { $0.from == $0.to }
    return SVG.drawing(
      width: layout.width + (hasLoop ? 2 * Self.loopReach : 0), height: layout.height,
      label: "Graph: " + graph.edges.map(words).joined(separator: "; "),
      graph.edges.flatMap(lines) + graph.nodes.compactMap(box) + graph.edges.compactMap(label))
  }

  /// The drawing in words, with what it leaves out.
  var caption: String {
    let leftOut = graph.nodes.count - layout.centers.count
    let rest = leftOut > 0 ? " \(leftOut) more are not drawn." : ""
    let hasThreads = graph.edges.contains { if case .threads = $0.from { true } else { false } }
    let start = hasThreads ? "from who waits, or from what they hold," : "from what a thread holds"
    return "An arrow leads \(start) to what \(hasThreads ? "they wait" : "it waits") for.\(rest)"
  }

  private static let loopReach = 64.0

  private func words(_ edge: FindingGraph.Edge) -> String {
    switch (edge.from, edge.to) {
    case (.threads(let threads), let to): "\(names.names(of: threads)) waits for \(name(to))"
    case (let from, .threads(let threads)): "\(names.names(of: threads)) holds \(name(from))"
    case (let from, let to):
      "\(names.names(of: edge.threads)) holds \(name(from)) and waits for \(name(to))"
    }
  }

  private func name(_ node: FindingGraph.Node) -> String {
    switch node {
    case .object(let id): names.name(id)
    case .threads(let threads): names.names(of: threads)
    }
  }

  private func lines(_ edge: FindingGraph.Edge) -> [HTML] {
    if edge.from == edge.to, let center = layout.centers[edge.from] {
      let x = center.x + GraphLayout.box.x / 2 + 4
      return SVG.loop(
        "edge", from: .init(x: x, y: center.y - 10), to: .init(x: x, y: center.y + 10),
        reach: Self.loopReach)
    }
    return layout.curve(of: edge, in: graph).map { SVG.arrow("edge", $0) } ?? []
  }

  private func label(_ edge: FindingGraph.Edge) -> HTML? {
    let text: String
    switch (edge.from, edge.to) {
    case (.threads, _): text = "waits for"
    case (_, .threads): text = "held by"
    default: text = names.names(of: edge.threads)
    }
    if edge.from == edge.to, let center = layout.centers[edge.from] {
      let x = center.x + GraphLayout.box.x / 2 + Self.loopReach
      return SVG.text("tag side", at: .init(x: x, y: center.y + 4), FindingNames.short(text, 16))
    }
    guard let middle = layout.curve(of: edge, in: graph)?.middle else { return nil }
    return SVG.text(
      "tag", at: .init(x: middle.x, y: middle.y + 4), FindingNames.short(text, 24))
  }

  private func box(_ node: FindingGraph.Node) -> HTML? {
    guard let center = layout.centers[node] else { return nil }
    let size = GraphLayout.box
    let corner = GraphLayout.Point(x: center.x - size.x / 2, y: center.y - size.y / 2)
    var origin: String?
    var style = "thread"
    if case .object(let id) = node {
      origin = names.origin(id)
      style = names.colour(id)
    }
    let radius = style == "thread" ? Int(size.y / 2) : 8
    let first = center.y + (origin == nil ? 5 : -3)
    var content = [
      SVG.box("node", at: corner, width: size.x, height: size.y, radius: radius),
      SVG.text("name", at: .init(x: center.x, y: first), FindingNames.short(name(node), 23)),
    ]
    if let origin {
      content.append(
        SVG.text(
          "place", at: .init(x: center.x, y: center.y + 15), FindingNames.shortPlace(origin, 25)))
    }
    return SVG.group(style, title: name(node), content)
  }
}
