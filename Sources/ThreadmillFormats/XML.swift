import ThreadmillReporting

/// A piece of an XML document as a value. Text is escaped where it is written, and nowhere else, so
/// that nothing can become markup that was not made as markup.
///
/// XML cannot carry every character: control characters other than tab, line feed and carriage
/// return, U+FFFE and U+FFFF become U+FFFD. All other text comes back from a parser unchanged, line
/// breaks of every sort included, in attributes too.
package indirect enum XML: Hashable, Sendable {
  case text(String)
  case element(name: StaticName, attributes: [Attribute], content: [XML])

  package typealias Attribute = Markup.Attribute
  package typealias StaticName = Markup.StaticName

  package static func element(
    _ name: StaticName, _ attributes: [Attribute] = [], _ content: [XML] = []
  ) -> XML {
    .element(name: name, attributes: attributes, content: content)
  }

  /// A document of its own, as UTF-8.
  package var document: [UInt8] {
    var writer = XMLWriter()
    writer.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    writer.write(self, indent: 0)
    return writer.bytes
  }
}

/// The one place where the syntax of XML is written.
private struct XMLWriter {
  private(set) var bytes: [UInt8] = []

  /// Elements stand on lines of their own where no text is beside them.
  mutating func write(_ piece: XML, indent: Int) {
    switch piece {
    case .text(let text): writeText(text)
    case .element(let name, let attributes, let content):
      put("<\(name.text)")
      for attribute in attributes {
        put(" \(attribute.name.text)=\"")
        writeValue(attribute.value)
        put("\"")
      }
      if content.isEmpty {
        put("/>")
      } else {
        put(">")
        writeContent(content, indent: indent)
        put("</\(name.text)>")
      }
      if indent == 0 { put("\n") }
    }
  }

  private mutating func writeContent(_ content: [XML], indent: Int) {
    let hasText = content.contains { if case .text = $0 { true } else { false } }
    for piece in content {
      if !hasText { breakLine(indent + 2) }
      write(piece, indent: indent + 2)
    }
    if !hasText { breakLine(indent) }
  }

  /// A parser makes one line feed of every line break that is not written as a reference.
  private mutating func writeText(_ text: String) {
    if Self.isPlain(text) { return put(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t", "\n": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      default: write(scalar)
      }
    }
  }

  private mutating func writeValue(_ text: String) {
    if Self.isPlain(text) { return put(text) }
    for scalar in text.unicodeScalars { write(scalar) }
  }

  /// Most text is, and then need not be looked at letter by letter.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "&", "<", ">", "\"": false
      case " "..."~": true
      default: false
      }
    }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "&": put("&amp;")
    case "<": put("&lt;")
    case ">": put("&gt;")
    case "\"": put("&quot;")
    case "\t": put("&#9;")
    case "\n": put("&#10;")
    case "\r": put("&#13;")
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
      bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
    // Legal as they are, but XML 1.1 takes them for line breaks.
    case "\u{85}": put("&#133;")
    case "\u{2028}": put("&#8232;")
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func breakLine(_ indent: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
  }
}
