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
      ("cut", coverage.isCut ? .boolean(true) : nil))
  }

  static func exploration(_ json: JSONReader) throws(ReportFormatError) -> ExploredTest {
    let coverage = ExplorationCoverage(
      schedules: try json["schedules"].count(), readsFromPairs: try json["readsFromPairs"].count(),
      handOvers: try json["handOvers"].count(), seenOnce: try json["seenOnce"].count(),
      seenTwice: try json["seenTwice"].count(), lastNew: try json["lastNew"].count(),
      isCut: try json["cut"].optionalBoolean() ?? false)
    return ExploredTest(
      try json["test"].string(), coverage,
      isComplete: try json["complete"].optionalBoolean() ?? false,
      classes: json["classes"].isMissing ? nil : try json["classes"].count(),
      uncontrolled: json["uncontrolled"].isMissing ? 0 : try json["uncontrolled"].count())
  }
}
