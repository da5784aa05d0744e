import ThreadmillModel
import ThreadmillReporting

/// A piece of a Markdown document as a value. Text is escaped where it is written, and nowhere
/// else, so that nothing can become markup, HTML or a cell that was not made as one.
///
/// What is not printable (control characters, line separators, marks that change the direction of
/// writing) is shown as in the text report, `\u{1B}`; all other text comes back from a parser
/// unchanged.
package enum Markdown: Hashable, Sendable {
  case heading([Inline])
  case paragraph([Inline])
  /// Rows have as many cells as the head.
  case table(head: [String], rows: [[[Inline]]])
  /// Lines in a typeface of fixed width.
  case code(String)
  /// Text that is shown after a click on the summary.
  case details(summary: String, [Markdown])

  package enum Inline: Hashable, Sendable {
    case text(String)
    case code(String)
    case lineBreak
  }

  /// The block, with an empty line at its end.
  package var text: String {
    var writer = MarkdownWriter()
    writer.write(self)
    return writer.text
  }
}

/// The one place where the syntax of Markdown is written.
private struct MarkdownWriter {
  private(set) var text = ""

  mutating func write(_ block: Markdown) {
    switch block {
    case .heading(let content): text += "## \(inlines(content))\n\n"
    case .paragraph(let content): text += "\(inlines(content))\n\n"
    case .table(let head, let rows):
      text += row(head.map(escaped)) + row(head.map { _ in "---" })
      for cells in rows { text += row(cells.map(inlines)) }
      text += "\n"
    case .code(let content):
      let fence = String(repeating: "`", count: max(3, longestRunOfBackticks(in: content) + 1))
      let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
      let printable = lines.map { String($0).printable }.joined(separator: "\n")
      text += "\(fence)text\n\(printable)\n\(fence)\n\n"
    case .details(let summary, let content):
      text += "<details>\n<summary>\(escaped(summary))</summary>\n\n"
      for block in content { write(block) }
      text += "</details>\n\n"
    }
  }

  private func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  private func inlines(_ content: [Markdown.Inline]) -> String {
    content.map { piece in
      switch piece {
      case .text(let text): escaped(text)
      // Not by backticks, in which a table's bar cannot be written the same way everywhere.
      case .code(let text): "<code>\(escaped(text))</code>"
      case .lineBreak: "<br>"
      }
    }.joined()
  }

  /// Everything that may mean something, somewhere, is written as its number, which is text for
  /// Markdown and for HTML alike. So are blanks that would be dropped.
  private func escaped(_ text: String) -> String {
    var result = ""
    var afterBlank = true
    var scalars = text.printable.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      let isBlank = scalar.properties.isWhitespace
      let isDropped = isBlank && (afterBlank || scalars.isEmpty || scalar != " ")
      if isDropped || (scalar.isASCII && !isBlank && !Self.isPlain(scalar)) {
        result += "&#\(scalar.value);"
        // Neither somebody's name nor an address of mail, whatever follows.
        if scalar == "@" { result += "<span></span>" }
      } else {
        result.unicodeScalars.append(scalar)
      }
      afterBlank = isBlank
    }
    return result
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ",", "/", "(", ")": true
    default: false
    }
  }

  private func longestRunOfBackticks(in text: String) -> Int {
    var (longest, run) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
