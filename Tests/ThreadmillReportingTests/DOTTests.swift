import Testing
import ThreadmillFormats
import ThreadmillModel
import ThreadmillReporting

/// What Graphviz makes of the order of locks.
@Suite struct DOTTests {
  private func svg(of report: Report) async throws -> [Drawn] {
    let bytes = ReportFormat.dot.bytes(of: report, ReportContext(folder: Samples.folder))
    let drawing = try await Outsider.run("dot", on: bytes, as: "graph.dot") { file, _ in
      ["-Tsvg", file]
    }
    return try await Outsider.python(Self.reader, on: Array(drawing.utf8))
  }

  private struct Drawn: Decodable, Hashable {
    var what: String
    var title: String
    var texts: [String]
    var isRed: Bool
  }

  private static let reader = #"""
    import json, sys, xml.etree.ElementTree as tree
    svg = "{http://www.w3.org/2000/svg}"
    found = [{
        "what": g.get("class"), "title": g.find(svg + "title").text,
        "texts": [(t.text or "").replace("\u00a0", " ") for t in g.iter(svg + "text")],
        "isRed": any(x.get("stroke") == "firebrick" for x in g.iter())}
      for g in tree.parse(sys.argv[1]).getroot().iter(svg + "g") if g.get("class") != "graph"]
    print(json.dumps(found))
    """#

  private func node(_ name: String, _ label: String? = nil) -> LockGraph.LockClass {
    .init(kind: .mutex, label: label, place: [Samples.user(name, "Sources/\(name).swift", 7)])
  }

  @Test func theWholeRunIsDrawnWithItsCycles() async throws {
    let place = [Samples.user("take()", "Sources/Take.swift", 9)]
    let graph = LockGraph(
      classes: [node("a"), node("b", "till"), node("c")],
      edges: [(0, 1, 3), (1, 0, 1), (1, 2, 2)].map {
        .init(from: $0, to: $1, count: $2, place: place)
      })
    let drawn = try await svg(
      of: Report(findings: [], run: .init(id: "run"), lockGraph: graph))
    let nodes = drawn.filter { $0.what == "node" }
    #expect(nodes.map(\.texts).contains(["mutex \"till\"", "b", "Sources/b.swift:7"]))
    #expect(nodes.filter(\.isRed).map(\.title) == ["c0", "c2"])
    let edges = drawn.filter { $0.what == "edge" }
    #expect(
      Set(edges.map { "\($0.title) \($0.texts) \($0.isRed)" }) == [
        "c0->c2 [\"× 3\", \"Sources/Take.swift:9\"] true",
        "c2->c0 [\"× 1\", \"Sources/Take.swift:9\"] true",
        "c2->c1 [\"× 2\", \"Sources/Take.swift:9\"] false",
      ])
  }

  @Test func withoutItTheFindingsAreDrawn() async throws {
    let drawn = try await svg(
      of: Report(
        findings: [Samples.finding(.deadlock), Samples.finding(.hang)], run: .init(id: "run")))
    #expect(drawn.filter { $0.what == "edge" }.map(\.title) == ["f0n0->f0n1", "f0n1->f0n0"])
    #expect(drawn.count { $0.what == "cluster" } == 1)
  }

  @Test func hostileNamesComeBackPrintable() async throws {
    let graph = LockGraph(
      classes: HostileNames.all.map { .init(kind: .mutex, label: $0, place: []) }, edges: [])
    let drawn = try await svg(
      of: Report(findings: [], run: .init(id: "run"), lockGraph: graph))
    #expect(
      Set(drawn.flatMap(\.texts)) == Set(HostileNames.all.map { "mutex \"\($0.printable)\"" }))
  }
}
