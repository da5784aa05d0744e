/// An expectation of a test framework's that failed under a schedule.
public struct FailedExpectation: Sendable, CustomStringConvertible {
  /// What the framework says of it.
  public let text: String
  /// The path of its source file; `nil` where nobody knows.
  public let file: String?
  /// From 1; `nil` where nobody knows.
  public let line: Int?
  let column: Int?

  package init(_ text: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
    (self.text, self.file, self.line, self.column) = (text, file, line, column)
  }

  /// In one line, with the place.
  public var description: String {
    guard let file, let line else { return text }
    return "\(file.split(separator: "/").last ?? ""):\(line): \(text)"
  }

  /// The same for whatever fails at the same place.
  var key: String {
    guard let file, let line else { return "expectation \(text)" }
    return "expectation \(file):\(line):\(column ?? 0)"
  }
}
