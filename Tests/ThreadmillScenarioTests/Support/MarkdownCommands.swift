import Foundation

/// The commands in a text in Markdown: in fenced blocks, in recipes within these, and in a line.
enum MarkdownCommands {
  static func all(in text: String) -> [String] {
    var commands: [String] = []
    var paragraph = ""
    var fence: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let open = fence, line.hasPrefix("```") {
        commands += inBlock(open.language, open.lines)
        fence = nil
      } else if fence != nil {
        fence?.lines.append(line)
      } else if line.hasPrefix("```") {
        fence = (String(line.dropFirst(3)), [])
      }
      if fence != nil || line.isEmpty || line.hasPrefix("|") || line.hasPrefix("```") {
        commands += inProse(paragraph)
        paragraph = ""
      }
      if fence == nil, !line.hasPrefix("```") { paragraph += "\(line)\n" }
    }
    return commands + inProse(paragraph)
  }

  private static func inBlock(_ language: String, _ lines: [String]) -> [String] {
    switch language {
    case "sh", "bash", "console": ShellLines.joined(lines)
    case "yaml": RecipeCommands.all(in: lines.joined(separator: "\n"))
    case "": lines.compactMap(shown)
    default: []
    }
  }

  /// In what a program has printed, commands stand behind a prompt or as advice.
  private static func shown(_ line: String) -> String? {
    if let said = line.firstMatch(of: #/^(\$|To repeat:|next)\s+(.*)$/#) { return String(said.2) }
    return isCommand(line) && !line.contains(": ") ? line : nil
  }

  /// What stands between backquotes and begins like a command, on one line or on two.
  private static func inProse(_ paragraph: String) -> [String] {
    paragraph.matches(of: #/`([^`]+)`/#).map {
      $0.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .replacing("\\|", with: "|")
    }.filter(isCommand)
  }

  /// It begins with a program of which the documents speak, or is an option in the environment.
  private static func isCommand(_ text: String) -> Bool {
    let begins = #/^(THREADMILL_\w+=|((swift|threadmill|git|docc|kubectl|\./\S+)\s)|scripts/\S+)/#
    return text.firstMatch(of: begins) != nil
  }
}
