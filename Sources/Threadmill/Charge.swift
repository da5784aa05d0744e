#if os(Linux)
  import ThreadmillModel

  /// A finding that a test has to answer for, in words.
  package struct Charge: Sendable {
    let finding: Finding
    package let message: String

    /// Whether the test fails for it; otherwise it is a warning.
    package var isError: Bool { finding.severity == .error }

    /// The user's line to blame.
    package var line: (file: String, line: Int, column: Int)? {
      finding.place.flatMap { frame in
        guard let file = frame.file, let line = frame.line else { return nil }
        return (file, line, frame.column ?? 1)
      }
    }
  }
#endif
