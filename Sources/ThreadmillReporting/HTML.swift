/// A piece of a page as a value. Text is escaped where it is written, and nowhere else, so that
/// nothing can become markup that was not made as markup.
package indirect enum HTML: Hashable, Sendable {
  case text(String)
  /// - Parameter name: written as it stands; so are the names of attributes.
  case element(name: StaticName, attributes: [Attribute], content: [HTML])

  package struct Attribute: Hashable, Sendable {
    package let name: StaticName
    package let value: String

    package init(_ name: StaticName, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A name that stands in the source code: no text from outside can be one.
  package struct StaticName: Hashable, Sendable, ExpressibleByStringLiteral {
    fileprivate let text: String

    package init(stringLiteral text: StaticString) { self.text = text.description }
  }

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

/// A page that needs nothing but itself.
package struct HTMLPage: Sendable {
  private let title: String
  private let style: String
  private let body: [HTML]

  /// - Parameter style: the style sheet; a literal, since nothing in it is escaped.
  package init(title: String, style: StaticString, body: [HTML]) {
    self.title = title
    self.style = style.description
    self.body = body
  }

  package var text: String {
    var writer = HTMLWriter()
    for element in body { writer.write(element) }
    var head = HTMLWriter()
    head.write(.element("title", [], title))
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(head.text)<style>
      \(style)
      </style>
      </head>
      <body>
      \(writer.text)</body>
      </html>

      """
  }
}

/// The one place where the syntax of HTML is written.
private struct HTMLWriter {
  var text = ""

  /// Elements without content, which have no end either.
  private static let void: Set<String> = ["br", "hr", "img", "meta", "link", "input"]
  /// Line breaks around these mean nothing, and keep the source readable.
  private static let blocks: Set<String> = [
    "header", "main", "section", "footer", "table", "thead", "tbody", "tr", "div", "ul", "li", "h1",
    "h2", "p", "title", "td", "th",
  ]

  mutating func write(_ piece: HTML) {
    switch piece {
    case .text(let content): text += escaped(content)
    case .element(let name, let attributes, let content):
      text += "<\(name.text)"
      for attribute in attributes {
        text += " \(attribute.name.text)=\"\(escaped(attribute.value))\""
      }
      text += ">"
      guard !Self.void.contains(name.text) else { return }
      for piece in content { write(piece) }
      text += "</\(name.text)>"
      if Self.blocks.contains(name.text) { text += "\n" }
    }
  }

  /// For text and for values in double quotes alike. What a page must not contain becomes U+FFFD.
  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
