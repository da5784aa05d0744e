/// An error by which Address Sanitizer or Leak Sanitizer has ended a program.
public struct SanitizerError: Hashable, Sendable {
  /// The tool and the kind of error, such as `AddressSanitizer: heap-use-after-free`.
  public let error: String
  /// The path of the source file in which the program did it; `nil` where the sanitizer does not
  /// know.
  public let file: String?
  /// From 1; `nil` where the sanitizer does not know.
  public let line: Int?
  /// The function that did it; `nil` where the sanitizer does not know.
  public let function: String?

  /// From the last line of the sanitizer's report; `nil` if the output has none.
  package init?(in output: String) {
    // SUMMARY: TOOL: ERROR, then (FILE+OFFSET), FILE:LINE:COLUMN or FILE, then `in` FUNCTION; all
    // behind the error may be left out.
    let summary =
      #/SUMMARY: ((?:Address|Leak)Sanitizer: .+?)(?:(?: \([^()]*\+0x[^()]*\)(?: \(BuildId: \w+\))?| (/.+?|\S+?):(\d+)(?::\d+)?| \S+\.\w+(?= in ))(?: in(?: (.+?))?)?)?\s*/#
    let last = output.split(separator: "\n").last { $0.hasPrefix("SUMMARY: ") }
    guard let match = last?.wholeMatch(of: summary)?.output else { return nil }
    error = String(match.1)
    file = match.2.map(String.init)
    line = match.3.flatMap { Int($0) }
    function = match.4.map(String.init)
  }
}
