import ThreadmillModel

/// `lockGraph`: an object with `classes`, and with `edges` whose ends are places in `classes`,
/// counted from 0. `frames` is where the second lock was taken.
extension JSONReport {
  static func json(of graph: LockGraph) -> JSON {
    members(
      ("classes", .array(graph.classes.map(json))), ("edges", .array(graph.edges.map(json))))
  }

  static func json(of one: LockGraph.LockClass) -> JSON {
    members(
      ("kind", .string(one.kind.rawValue)), ("label", one.label.map(JSON.string)),
      (one.isFirstUse ? "firstUsed" : "created", .array(one.place.map(json))))
  }

  private static func json(of edge: LockGraph.Edge) -> JSON {
    members(
      ("from", .integer(edge.from)), ("to", .integer(edge.to)), ("count", .integer(edge.count)),
      ("frames", .array(edge.place.map(json))))
  }

  static func lockGraph(_ json: JSONReader) throws(ReportFormatError) -> LockGraph? {
    guard !json.isMissing else { return nil }
    let classes = try json["classes"].array(graphClass)
    let edges = try json["edges"].array { edge throws(ReportFormatError) in
      LockGraph.Edge(
        from: try place(edge["from"], below: classes.count),
        to: try place(edge["to"], below: classes.count),
        count: try edge["count"].integer(Int.self), place: try frames(edge["frames"]))
    }
    return LockGraph(classes: classes, edges: edges)
  }

  static func graphClass(
    _ json: JSONReader
  ) throws(ReportFormatError) -> LockGraph.LockClass {
    let isFirstUse = json["created"].isMissing
    return LockGraph.LockClass(
      kind: try json["kind"].name(), label: try json["label"].optionalString(),
      place: try frames(json[isFirstUse ? "firstUsed" : "created"]),
      isFirstUse: isFirstUse)
  }

  /// A place in a list of so many.
  static func place(_ json: JSONReader, below count: Int) throws(ReportFormatError) -> Int {
    let place = try json.integer(Int.self)
    guard (0..<count).contains(place) else { throw json.expected("a number below \(count)") }
    return place
  }
}
