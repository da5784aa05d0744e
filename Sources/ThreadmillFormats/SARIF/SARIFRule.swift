import ThreadmillModel
import ThreadmillReporting

/// The description of a kind of finding, as code scanning shows it beside a result.
enum SARIFRule {
  static func json(of kind: Finding.Kind) -> JSON {
    let name = String(kind.rawValue.prefix(1)).uppercased() + kind.rawValue.dropFirst()
    return JSONReport.members(
      ("id", .string(identifier(of: kind))), ("name", .string(name)),
      ("shortDescription", text(kind.name)), ("fullDescription", text(kind.explanation)),
      ("help", help(for: kind)),
      ("defaultConfiguration", .object([.init("level", .string("error"))])),
      ("properties", properties(of: kind)))
  }

  static func identifier(of kind: Finding.Kind) -> String { "threadmill/\(kind.rawValue)" }

  private static func text(_ text: String) -> JSON { .object([.init("text", .string(text))]) }

  private static func help(for kind: Finding.Kind) -> JSON {
    let markdown =
      Markdown.paragraph([.text(kind.explanation)]).text
      + Markdown.paragraph([.text("How to repair it: \(kind.repair)")]).text
    return .object([
      .init("text", .string("\(kind.explanation)\n\nHow to repair it: \(kind.repair)")),
      .init("markdown", .string(markdown)),
    ])
  }

  /// The precision of the rule: lower for findings that did not happen yet.
  private static func properties(of kind: Finding.Kind) -> JSON {
    let precision = kind == .lockOrderCycle ? "high" : "very-high"
    return .object([
      .init("precision", .string(precision)),
      .init("problem.severity", .string("error")),
      .init("tags", .array([.string("concurrency"), .string("correctness")])),
    ])
  }
}
