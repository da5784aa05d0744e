/// A graph in the language of Graphviz, under construction. Text is escaped where it is written,
/// and nowhere else.
struct DOTWriter {
  /// The value of an attribute.
  enum Value {
    /// Made of letters and digits in the source code.
    case word(StaticString)
    /// Each line made printable, as in a report of text: Graphviz hands text on to formats that
    /// cannot carry everything.
    case lines([String])
  }

  typealias Attribute = (name: StaticString, value: Value)

  private var text: String
  private var indent = "  "

  init(_ attributes: [Attribute]) {
    text = "digraph threadmill {\n"
    for attribute in attributes { put("\(attribute.name)=\(Self.written(attribute.value))") }
  }

  mutating func defaults(of what: StaticString, _ attributes: [Attribute]) {
    put("\(what) \(Self.list(attributes))")
  }

  mutating func node(_ id: String, _ attributes: [Attribute]) {
    put("\(Self.quoted([id])) \(Self.list(attributes))")
  }

  mutating func edge(_ from: String, _ to: String, _ attributes: [Attribute]) {
    put("\(Self.quoted([from])) -> \(Self.quoted([to])) \(Self.list(attributes))")
  }

  /// Puts the output of `body` into a box.
  mutating func cluster(_ number: Int, label: [String], _ body: (inout Self) -> Void) {
    put("subgraph cluster_\(number) {")
    indent += "  "
    put("label=\(Self.quoted(label))")
    body(&self)
    indent.removeLast(2)
    put("}")
  }

  func finished() -> [UInt8] { Array((text + "}\n").utf8) }

  private mutating func put(_ statement: String) { text += "\(indent)\(statement)\n" }

  private static func list(_ attributes: [Attribute]) -> String {
    "[\(attributes.map { "\($0.name)=\(written($0.value))" }.joined(separator: ", "))]"
  }

  private static func written(_ value: Value) -> String {
    switch value {
    case .word(let word): word.description
    case .lines(let lines): quoted(lines)
    }
  }

  /// Labels are read twice: for the quotes of the language, then for `\n` and entities like those
  /// of HTML.
  private static func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      var result = ""
      for scalar in line.printable.unicodeScalars {
        switch scalar {
        case "\\": result += #"\\"#
        case "\"": result += #"\""#
        case "&": result += "&amp;"
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
    return "\"\(escaped.joined(separator: #"\n"#))\""
  }
}
