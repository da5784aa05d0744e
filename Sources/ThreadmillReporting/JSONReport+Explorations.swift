import ThreadmillModel

/// `explorations`: what the exploration of each test has covered.
extension JSONReport {
  static func json(of explored: ExploredTest) -> JSON {
    let coverage = explored.coverage
    return members(
      ("test", .string(explored.test)), ("schedules", .integer(coverage.schedules)),
      ("complete", .boolean(explored.isComplete)),
      ("classes", explored.classes.map { .integer($0) }),
      ("uncontrolled", .integer(explored.uncontrolled)),
      ("readsFromPairs", .integer(coverage.readsFromPairs)),
      ("handOvers", .integer(coverage.handOvers)), ("seenOnce", .integer(coverage.seenOnce)),
      ("seenTwice", .integer(coverage.seenTwice)), ("lastNew", .integer(coverage.lastNew)),
      ("cut", coverage.isCut ? .boolean(true) : nil),
      ("towards", coverage.lines.isEmpty ? nil : .array(coverage.lines.map(json))),
      ("met", coverage.lines.isEmpty ? nil : .integer(coverage.met)))
  }

  private static func json(of line: ExplorationCoverage.Line) -> JSON {
    members(("line", .string(line.place)), ("schedules", .integer(line.schedules)))
  }

  static func exploration(_ json: JSONReader) throws(ReportFormatError) -> ExploredTest {
    let coverage = ExplorationCoverage(
      schedules: try json["schedules"].count(), readsFromPairs: try json["readsFromPairs"].count(),
      handOvers: try json["handOvers"].count(), seenOnce: try json["seenOnce"].count(),
      seenTwice: try json["seenTwice"].count(), lastNew: try json["lastNew"].count(),
      isCut: try json["cut"].optionalBoolean() ?? false,
      lines: json["towards"].isMissing ? [] : try json["towards"].array(line),
      met: json["met"].isMissing ? 0 : try json["met"].count())
    return ExploredTest(
      try json["test"].string(), coverage,
      isComplete: try json["complete"].optionalBoolean() ?? false,
      classes: json["classes"].isMissing ? nil : try json["classes"].count(),
      uncontrolled: json["uncontrolled"].isMissing ? 0 : try json["uncontrolled"].count())
  }

  private static func line(
    _ json: JSONReader
  ) throws(ReportFormatError) -> ExplorationCoverage.Line {
    .init(place: try json["line"].string(), schedules: try json["schedules"].count())
  }
}
