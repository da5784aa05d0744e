import ThreadmillModel

/// `sources`: for each report that went into this one its `digest`, `run`, `accounting`, where it
/// has them its `profile`, `lockGraph` and `trace`, and in `counts`, by fingerprint, how often it
/// saw each finding.
extension JSONReport {
  static func json(of source: Report.Source) -> JSON {
    members(
      ("digest", .string(source.digest)), ("run", json(of: source.run)),
      ("counts", json(of: source.counts)), ("accounting", json(of: source.accounting)),
      ("profile", source.profile.map(json)), ("lockGraph", source.lockGraph.map(json)),
      ("trace", source.trace.map(json)))
  }

  /// - Parameter names: the fingerprint of each finding as it was written, and as it is made today:
  ///   another version may have made others.
  static func sources(
    _ json: JSONReader, naming names: some Sequence<(String?, String)>
  ) throws(ReportFormatError) -> [Report.Source] {
    var today: [String: String] = [:]
    for case (let written?, let name) in names { today[written] = name }
    return try json.array { json throws(ReportFormatError) in
      var counts: [String: Int] = [:]
      for (written, count) in try numbers(json["counts"]) {
        counts[today[written] ?? written, default: 0] =
          Report.sum(counts[today[written] ?? written, default: 0], count)
      }
      return Report.Source(
        digest: try json["digest"].string(), run: try run(json["run"]),
        accounting: try numbers(json["accounting"]), counts: counts,
        profile: try profile(json["profile"]), lockGraph: try lockGraph(json["lockGraph"]),
        trace: try trace(json["trace"]))
    }
  }
}
