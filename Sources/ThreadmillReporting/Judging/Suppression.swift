import ThreadmillModel

/// One entry of a file of suppressions: findings that somebody has looked at, and why they do not
/// count.
package struct Suppression: Hashable, Sendable {
  /// `nil` for findings of any kind.
  package var kind: Finding.Kind?
  /// Each has to stand for the name of some frame of the user's.
  package var functions: [Glob]
  /// Each has to stand for the file of some frame of the user's.
  package var files: [Glob]
  package var reason: String
  /// The last day on which it counts; `nil` for ever.
  package var until: Day?
  /// Where it begins, counted from 1.
  package var line: Int

  package init(
    kind: Finding.Kind? = nil, functions: [Glob] = [], files: [Glob] = [], reason: String,
    until: Day? = nil, line: Int = 1
  ) {
    self.kind = kind
    self.functions = functions
    self.files = files
    self.reason = reason
    self.until = until
    self.line = line
  }

  package func matches(_ finding: Finding) -> Bool {
    guard kind == nil || kind == finding.kind else { return false }
    let frames = finding.userFrames
    return functions.allSatisfy { function in frames.contains { function.matches($0.name) } }
      && files.allSatisfy { file in
        frames.contains { $0.file.map(file.matches(path:)) ?? false }
      }
  }

  package func isExpired(on today: Day) -> Bool { until.map { $0 < today } ?? false }
}

/// A file of suppressions.
///
/// ```
/// # What is behind a number sign at the beginning of a line is for people.
/// suppress lockOrderCycle
///   function  Bank.transfer(from:to:)
///   file      Sources/Bank/*
///   reason    Both locks are only taken while the bank is closed
///   until     2027-01-31
/// ```
package struct Suppressions: Hashable, Sendable {
  /// As messages call it.
  package var file: String
  package var entries: [Suppression]

  package init(file: String, entries: [Suppression]) {
    self.file = file
    self.entries = entries
  }

  /// Something in the file that is not as it must be.
  package struct Problem: Hashable, Sendable {
    package var line: Int
    package var text: String

    package init(line: Int, _ text: String) {
      self.line = line
      self.text = text
    }
  }

  /// Everything that is wrong with a file, by line.
  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    package var problems: [Problem]

    /// How many are told: a file of another sort has as many as lines.
    private static let shown = 50

    package var description: String {
      let lines = problems.prefix(Self.shown).map { "\(file.printable):\($0.line): \($0.text)" }
      let rest = problems.count - lines.count
      return (lines + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    }
  }
}
