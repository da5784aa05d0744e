import ThreadmillModel
import ThreadmillReporting

/// The texts of messages, in which some characters mean something to SARIF: braces enclose
/// placeholders (section 3.11.5) and brackets links (3.11.6).
enum SARIFText {
  /// A message that is shown as it stands.
  static func plain(_ text: String) -> JSON { message(escaped(text)) }

  /// The title as a sentence, then a clause for each of the others, which begins with a link.
  static func linked(_ title: String, _ clauses: [Clause]) -> JSON {
    let others = clauses.map { clause in
      "[\(escaped(clause.title))](\(clause.location)) \(escaped(clause.text))"
    }
    let tail = others.isEmpty ? "" : ". \(others.joined(separator: "; "))"
    return message(escaped(title) + tail + ".")
  }

  struct Clause: Hashable, Sendable {
    /// What is to be clicked on.
    var title: String
    /// The identifier of a location of the result.
    var location: Int
    var text: String
  }

  private static func message(_ text: String) -> JSON { .object([.init("text", .string(text))]) }

  /// Braces doubled; brackets and backslashes after a backslash.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "{", "}": result.append(scalar)
      case "[", "]", "\\": result.append("\\")
      default: break
      }
      result.append(scalar)
    }
    return String(result)
  }
}
