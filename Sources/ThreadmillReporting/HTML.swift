/// A piece of a page as a value. Text is escaped where it is written, and nowhere else, so that
/// nothing can become markup that was not made as markup.
package indirect enum HTML: Hashable, Sendable {
  case text(String)
  /// - Parameter name: written as it stands; so are the names of attributes.
  case element(name: StaticName, attributes: [Attribute], content: [HTML])

  package typealias Attribute = Markup.Attribute
  package typealias StaticName = Markup.StaticName

  package static func element(
    _ name: StaticName, _ attributes: [Attribute] = [], _ content: [HTML] = []
  ) -> HTML {
    .element(name: name, attributes: attributes, content: content)
  }

  package static func element(
    _ name: StaticName, _ attributes: [Attribute] = [], _ text: String
  ) -> HTML {
    .element(name: name, attributes: attributes, content: [.text(text)])
  }
}

/// A page that needs nothing but itself, and is kept from fetching anything else.
package struct HTMLPage: Sendable {
  private let title: String
  private let style: String
  private let script: String?
  private let body: [HTML]

  /// - Parameters:
  ///   - style: the style sheet; a literal, since nothing in it is escaped.
  ///   - script: runs when the body is there; a literal for the same reason. What it needs to know
  ///     stands in the body.
  package init(title: String, style: StaticString, script: StaticString? = nil, body: [HTML]) {
    self.title = title
    self.style = style.description
    self.script = script?.description
    self.body = body
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text's UTF-8.
  package var bytes: [UInt8] {
    var writer = HTMLWriter()
    writer.put(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">

      """)
    writer.write(.element("title", [], title))
    writer.put("<style>\n\(style)\n</style>\n</head>\n<body>\n")
    for element in body { writer.write(element) }
    if let script { writer.put("<script>\n\(script)\n</script>\n") }
    writer.put("</body>\n</html>\n")
    return writer.bytes
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
}

/// The one place where the syntax of HTML is written.
private struct HTMLWriter {
  var bytes: [UInt8] = []

  /// Elements without content, which have no end either.
  private static let void: Set<String> = [
    "br", "hr", "img", "meta", "link", "input", "wbr",
  ]
  /// Line breaks around these mean nothing, and keep the source readable.
  private static let blocks: Set<String> = [
    "header", "main", "section", "article", "footer", "form", "label", "details", "summary",
    "table", "thead", "tbody", "tr", "div", "ol", "ul", "li", "h1", "h2", "h3", "h4", "p", "title",
    "td", "th", "svg",
  ]

  /// What is markup already.
  mutating func put(_ markup: String) { bytes.append(contentsOf: markup.utf8) }

  mutating func write(_ piece: HTML) {
    switch piece {
    case .text(let content): write(text: content)
    case .element(let name, let attributes, let content):
      put("<")
      put(name.text)
      for attribute in attributes {
        put(" ")
        put(attribute.name.text)
        put("=\"")
        write(text: attribute.value)
        put("\"")
      }
      put(">")
      guard !Self.void.contains(name.text) else { return }
      for piece in content { write(piece) }
      put("</")
      put(name.text)
      put(">")
      if Self.blocks.contains(name.text) { put("\n") }
    }
  }

  /// For text and for values in double quotes alike. What a page must not contain becomes U+FFFD:
  /// the controls of ASCII but for tab and line feed, and those from U+0080 to U+009F.
  private mutating func write(text: String) {
    if Self.isPlain(text) { return put(text) }
    var isAfterC2 = false
    for byte in text.utf8 {
      // The second byte of U+0080 to U+009F, whose first one is written already.
      if isAfterC2, byte < 0xA0 {
        bytes.removeLast()
        put("\u{FFFD}")
      } else {
        write(byte)
      }
      isAfterC2 = byte == 0xC2
    }
  }

  /// Most text is, and then need not be looked at letter by letter.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "&", "<", ">", "\"", "'": false
      case " "..."~": true
      default: false
      }
    }
  }

  private mutating func write(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): put("&amp;")
    case UInt8(ascii: "<"): put("&lt;")
    case UInt8(ascii: ">"): put("&gt;")
    case UInt8(ascii: "\""): put("&quot;")
    case UInt8(ascii: "'"): put("&#39;")
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): bytes.append(byte)
    case 0x00...0x1F, 0x7F: put("\u{FFFD}")
    default: bytes.append(byte)
    }
  }
}
