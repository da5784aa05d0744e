/// What the file of a scenario tells, read from its text: the doc comment, and the program of each
/// variant.
package struct Story: Sendable, Hashable {
  /// One paragraph or more under a bold heading.
  package struct Part: Sendable, Hashable {
    /// Without its full stop.
    package let heading: String
    package let paragraphs: [String]
  }

  /// One variant, with as much of the file as it uses.
  package struct Program: Sendable, Hashable {
    /// What is run.
    package let body: [String]
    /// The types and functions that the body needs, with those of their members that it uses.
    package let helpers: [String]

    /// The whole program, body first.
    package var lines: [String] { helpers.isEmpty ? body : body + [""] + helpers }
  }

  /// What it is about, in a sentence or two.
  package let title: String
  package let parts: [Part]
  /// A correct program, which has no variants, is there as each of them.
  package let programs: [Scenario.Variant: Program]

  /// The headings that a scenario must have, in this order.
  package static func headings(of fault: Scenario.Fault) -> [String] {
    fault == .silent
      ? ["What people write", "Why it looks dangerous", "Why it is correct"]
      : ["What people write", "Why it breaks", "How it shows", "Repair"]
  }

  /// Why there is no story.
  package enum Untold: Error, Hashable, Sendable, CustomStringConvertible {
    /// The scenario was built from a file that is not there any more, or not on this machine.
    case noFile(path: String)
    /// The text lacks something, or stands where it is not looked for.
    case lacks(String)

    package var description: String {
      switch self {
      case .noFile(let path):
        "its story is told by its source, and \(path) is not there: run this from the checkout "
          + "that it was built in"
      case .lacks(let what): "its source has no \(what)"
      }
    }
  }
}

extension Scenario {
  /// What its file tells.
  package func story() throws(Story.Untold) -> Story { try Story(file: file) }
}
