import ThreadmillModel

/// A line of the user's source, and what has to stand under it to mark a column.
///
/// The line is shown without its indentation, on one line whatever it contains, and cut around the
/// mark if it is very long.
struct SourceQuote: Hashable, Sendable {
  /// More letters of a line are not shown.
  static let longest = 100

  let text: String
  /// Blanks, then a caret; `nil` where the column is not known or not in the line, as in a file
  /// that was changed since.
  let mark: String?

  /// `nil` if there is no such line.
  init?(_ frame: Frame, _ context: ReportContext) {
    guard frame.hasLine, let file = frame.file, let number = frame.line,
      let lines = context.source(file), lines.indices.contains(number - 1)
    else { return nil }
    let line = lines[number - 1]
    let column = frame.column.flatMap { Self.index(ofColumn: $0, in: line) }
    let start = line.firstIndex { !$0.isWhitespace } ?? line.endIndex
    guard start < line.endIndex else { return nil }
    let before = column.map { $0 < start ? 0 : Self.shown(line[start..<$0]).count }
    var text = Self.shown(line[start...])
    while text.last?.isWhitespace == true { text.removeLast() }
    (self.text, mark) = Self.cut(text, markedAt: before)
  }

  /// What stands in a report, one text for each line: `41 | ledger.lock()`.
  func lines(numbered number: Int) -> [String] {
    let blanks = String(repeating: " ", count: String(number).count)
    return ["\(number) | \(text)"] + (mark.map { ["\(blanks) | \($0)"] } ?? [])
  }

  /// The compiler counts columns in bytes, from 1.
  private static func index(ofColumn column: Int, in line: String) -> String.Index? {
    guard column > 0, column <= line.utf8.count else { return nil }
    let index = line.utf8.index(line.startIndex, offsetBy: column - 1)
    return line.unicodeScalars.indices.last { $0 <= index }
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
