import ThreadmillModel

extension JSONReport {
  static func json(of test: TestResult) -> JSON {
    members(
      ("name", .string(test.name)), ("title", test.title == test.name ? nil : .string(test.title)),
      ("outcome", .string(test.outcome.rawValue)), ("milliseconds", .integer(test.milliseconds)),
      ("issues", test.issues.isEmpty ? nil : .array(test.issues.map(json))),
      ("sensitive", test.isSensitive ? .boolean(true) : nil),
      ("unexplored", test.unexplored.map(JSON.string)))
  }

  private static func json(of issue: TestResult.Issue) -> JSON {
    members(
      ("message", .string(issue.message)), ("file", issue.file.map(JSON.string)),
      ("line", issue.line.map { .integer($0) }))
  }

  static func test(_ json: JSONReader) throws(ReportFormatError) -> TestResult {
    TestResult(
      try json["name"].string(), title: try json["title"].optionalString(),
      try json["outcome"].name(), milliseconds: try json["milliseconds"].count(),
      issues: json["issues"].isMissing ? [] : try json["issues"].array(issue),
      isSensitive: try json["sensitive"].optionalBoolean() ?? false,
      unexplored: try json["unexplored"].optionalString())
  }

  private static func issue(_ json: JSONReader) throws(ReportFormatError) -> TestResult.Issue {
    TestResult.Issue(
      try json["message"].string(), file: try json["file"].optionalString(),
      line: try json["line"].optionalInteger(Int.self))
  }
}
