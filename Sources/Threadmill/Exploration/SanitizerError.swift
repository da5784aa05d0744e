/// What a sanitizer has found in a program, by the line that sums up its report.
public struct SanitizerError: Hashable, Sendable {
  /// `AddressSanitizer: heap-use-after-free`
  public let error: String
  /// The path of the source file in which the program did it; `nil` where the sanitizer does not
  /// know.
  public let file: String?
  /// From 1; `nil` where the sanitizer does not know.
  public let line: Int?
  /// The function that did it; `nil` where the sanitizer does not know.
  public let function: String?

  /// `nil` if no line of the output sums up such a report.
  init?(in output: String) {
    // SUMMARY: TOOL: ERROR (FILE+OFFSET) or SUMMARY: TOOL: ERROR FILE:LINE:COLUMN in FUNCTION
    let summary =
      #/SUMMARY: (\w+Sanitizer: .+?)(?: \(\S+\))?(?: (\S+?):(\d+)(?::\d+)?(?: in (.+?))?)?\s*/#
    let last = output.split(separator: "\n").last { $0.hasPrefix("SUMMARY: ") }
    guard let match = last?.wholeMatch(of: summary)?.output else { return nil }
    error = String(match.1)
    file = match.2.map(String.init)
    line = match.3.flatMap { Int($0) }
    function = match.4.map(String.init)
  }
}
