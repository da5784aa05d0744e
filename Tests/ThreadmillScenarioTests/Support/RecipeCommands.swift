import Foundation

/// The commands in a recipe in YAML: what `run:`, `script:` and `args:` say.
///
/// Reads what our recipes are written in, no more: plain scalars, and blocks behind `|` or `>`.
enum RecipeCommands {
  static func all(in text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)[...]
    var commands: [String] = []
    while let line = lines.popFirst() {
      if let match = line.wholeMatch(of: #/\s*(-\s+)?run:\s*(.*)/#) {
        commands += value(String(match.2), behind: line, in: &lines)
      } else if line.wholeMatch(of: #/\s*(script|args):\s*/#) != nil {
        while let item = lines.first?.wholeMatch(of: #/\s*-\s+(.*)/#) {
          let head = lines.removeFirst()
          commands += value(String(item.1), behind: head, in: &lines)
        }
      }
    }
    return commands
  }

  /// A scalar: what stands there, or the lines that are indented more than its head.
  private static func value(
    _ text: String, behind head: String, in lines: inout ArraySlice<String>
  ) -> [String] {
    guard ["|", ">"].contains(text) else { return ShellLines.joined([text]) }
    let indentation = head.prefix { $0 == " " }.count
    let block = lines.prefix { $0.isEmpty || $0.prefix { $0 == " " }.count > indentation }
    lines = lines.dropFirst(block.count)
    let code = block.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    // A block of several lines is one script.
    if text == "|" { return [ShellLines.joined(code).joined(separator: "\n")] }
    return ShellLines.joined([code.joined(separator: " ")])
  }
}
