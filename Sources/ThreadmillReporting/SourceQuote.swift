import ThreadmillModel

/// The user's source at one frame, and around it.
package struct SourceQuote: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package var number: Int
    /// Whether it is the line of the place; others are around it.
    package var isPlace: Bool
    /// The text, in three parts: the marked one begins at the place's column, and is a name, or one
    /// character. It is empty where the column is not known or not in the line, as in a file that
    /// was changed since.
    package var before: String
    package var marked = ""
    package var after = ""

    /// In bytes.
    package var length: Int { before.utf8.count + marked.utf8.count + after.utf8.count }
  }

  /// In the order of the file; the line of the place is among them.
  package let lines: [Line]

  /// `nil` where the source is not to be had, or is no longer that of the report.
  ///
  /// - Parameter around: how many lines before it and behind it are wanted.
  package init?(_ frame: Frame, _ context: ReportContext, around: Int = 0) {
    guard frame.hasLine, let path = frame.file, let place = frame.line,
      let file = context.source(path), file.indices.contains(place - 1)
    else { return nil }
    lines = (max(1, place - around)...min(file.count, place + around)).map { number in
      number == place
        ? Self.place(number, file[number - 1], column: frame.column)
        : Line(number: number, isPlace: false, before: file[number - 1])
    }
  }

  /// The compiler counts columns in bytes, from 1; in the middle of a letter the letter is meant.
  private static func place(_ number: Int, _ text: String, column: Int?) -> Line {
    let plain = Line(number: number, isPlace: true, before: text)
    guard let column, column > 0, column <= text.utf8.count else { return plain }
    let exact = text.utf8.index(text.startIndex, offsetBy: column - 1)
    guard let start = text.unicodeScalars.indices.last(where: { $0 <= exact }) else { return plain }
    let name = text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let end = name.isEmpty ? text.unicodeScalars.index(after: start) : name.endIndex
    return Line(
      number: number, isPlace: true, before: String(text[..<start]),
      marked: String(text[start..<end]), after: String(text[end...]))
  }
}

extension SourceQuote {
  /// More letters of a line are not shown in a text.
  static let longest = 100

  /// What stands in a text: the line of the place, `41 | ledger.lock()`, and below it a caret under
  /// the column. Without indentation, on one line whatever it contains, and cut around the mark if
  /// it is very long. Empty for a line of blanks.
  var text: [String] {
    guard let line = lines.first(where: \.isPlace) else { return [] }
    let isMarked = !line.marked.isEmpty
    let whole = line.before + line.marked + line.after
    let trimmed = whole.drop(while: \.isWhitespace)
    guard !trimmed.isEmpty else { return [] }
    let indentation = whole.count - trimmed.count
    let before = Self.shown(line.before.dropFirst(indentation)).count
    var text = Self.shown(trimmed)
    while text.last?.isWhitespace == true { text.removeLast() }
    let (shown, mark) = Self.cut(text, markedAt: isMarked ? before : nil)
    let blanks = String(repeating: " ", count: String(line.number).count)
    return ["\(line.number) | \(shown)"] + (mark.map { ["\(blanks) | \($0)"] } ?? [])
  }

  private static func shown(_ text: Substring) -> String {
    String(text.map { $0 == "\t" ? " " : $0 }).printable
  }

  private static func cut(_ text: String, markedAt place: Int?) -> (String, String?) {
    var (text, place) = (text, place)
    if let mark = place, mark > longest - 20 {
      let left = mark - longest / 2
      text = "…" + text.dropFirst(left)
      place = mark - left + 1
    }
    if text.count > longest { text = text.prefix(longest) + "…" }
    return (text, place.map { String(repeating: " ", count: $0) + "^" })
  }
}
