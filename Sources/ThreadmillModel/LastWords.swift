/// What a program says of the error that ends it.
package enum LastWords {
  /// The words of the Swift runtime and of C++. Sanitizers sum up what they have found.
  private static let marks = [
    "Fatal error", "Assertion failed", "Precondition failed", "terminate called",
  ]
  private static let longest = 300

  /// The message of a failed assertion, a failed precondition or a fatal error.
  package static func find(in output: String) -> String? {
    let line = output.split(separator: "\n").last { line in
      marks.contains { line.contains(": \($0)") || line.hasPrefix($0) } || isAssert(line)
        || line.hasPrefix("SUMMARY: ")
    }
    return line.map { String($0.prefix(longest)) }
  }

  /// The same or, where nobody speaks of an error, the last line.
  package static func findAny(in output: String) -> String? {
    find(in: output)
      ?? output.split(separator: "\n").last.map { String($0.prefix(longest)) }
  }

  /// libc's `assert`: PROGRAM: FILE:LINE: FUNCTION: Assertion `EXPRESSION' failed.
  private static func isAssert(_ line: Substring) -> Bool {
    line.contains(": Assertion `") && line.hasSuffix("' failed.")
  }
}
