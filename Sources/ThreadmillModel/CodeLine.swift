/// A line of a program's source, as people write it: `bank.c:12`, or with more of the path.
package struct CodeLine: Hashable, Sendable, CustomStringConvertible {
  /// The end of the path, whole names only.
  package var file: String
  package var line: Int

  package init(file: String, line: Int) { (self.file, self.line) = (file, line) }

  /// `nil` if the text is no file and line. A comma would end the line in a list of them.
  package init?(_ text: some StringProtocol) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0, colon > text.startIndex, text[..<colon].last != "/",
      !text.contains(",")
    else { return nil }
    self.init(file: String(text[..<colon]), line: line)
  }

  package var description: String { "\(file):\(line)" }

  /// Whether a path of the debug information names this file.
  package func isIn(_ path: String) -> Bool {
    let (file, path) = (file.hasPrefix("./") ? String(file.dropFirst(2)) : file, path)
    return path == file || !file.hasPrefix("/") && path.hasSuffix("/" + file)
  }
}
