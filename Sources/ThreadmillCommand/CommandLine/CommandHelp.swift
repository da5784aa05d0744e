/// The texts of `--help`, made from the table of commands.
package enum CommandHelp {
  /// All commands, and what holds for each of them.
  package static func overview(_ table: [Command] = Command.table) -> String {
    let switches = [
      ("--help", "Explain Threadmill, or the command before this switch."),
      ("--version", "Print the version of this tool."),
    ]
    return """
      usage: threadmill COMMAND [SWITCH…]

      commands:
      \(columns(table.map { ($0.name, $0.sentence) }))

      switches:
      \(columns(switches))

      \(statuses(failing: ExitStatus.findings.sentence))

      Set NO_COLOR in the environment to switch colours off.

      """
  }

  /// One command.
  package static func text(of command: Command) -> String {
    let examples = command.examples.isEmpty ? "" : "examples:\n\(columns(command.examples))\n\n"
    return """
      \(wrapped("usage: threadmill \(usage(of: command))", indent: 7))

      \(wrapped(command.sentence))

      \(examples)\(switches(of: command))
      \(statuses(failing: command.fails))

      """
  }

  /// Under headings, where there is more than one.
  private static func switches(of command: Command) -> String {
    let help = ("--help", "Explain this command.")
    let groups = Switch.Topic.allCases.compactMap { topic -> (String, [(String, String)])? in
      let switches = command.switches.filter { $0.topic == topic }
      return switches.isEmpty ? nil : (topic.rawValue, switches.map { ($0.form, $0.sentence) })
    }
    guard groups.count > 1 else {
      return "switches:\n\(columns((groups.first?.1 ?? []) + [help]))\n\n"
    }
    return groups.map { "\($0):\n\(columns($1))\n\n" }.joined()
      + "\(columns([help]))\n\n"
  }

  private static func usage(of command: Command) -> String {
    let isLong = Set(command.switches.map(\.topic)).count > 1
    let switches =
      isLong
      ? ["[SWITCH…]"] : command.switches.map { "[\($0.form)]\($0.isRepeatable ? "…" : "")" }
    let operands: [String] =
      switch command.operands {
      case .none: []
      case .some(let placeholder): ["\(placeholder)…"]
      case .words(let words): [words]
      case .program(let placeholder): ["--", placeholder]
      }
    return ([command.name] + switches + operands).joined(separator: " ")
  }

  private static func statuses(failing sentence: String) -> String {
    let rows = ExitStatus.allCases.map { status in
      ("\(status.rawValue)", status == .findings ? sentence : status.sentence)
    }
    return "exit status:\n\(columns(rows))"
  }

  /// The widest line: that of an old terminal, and of half a new one.
  private static let lineWidth = 80
  /// The widest name that has its sentence beside it, not below it.
  private static let nameWidth = 24

  private static func columns(_ rows: [(String, String)]) -> String {
    let widest = rows.map(\.0.count).max() ?? 0
    let isBeside = rows.filter { $0.0.count > nameWidth }.count * 2 < rows.count
    let width = isBeside ? min(widest, nameWidth) : 4
    return rows.map { name, sentence in
      let indent = width + 4
      let text = wrapped(sentence, indent: indent, at: indent)
      let blanks = String(repeating: " ", count: max(0, width - name.count))
      let begin = isBeside && name.count <= width ? "\(blanks)  " : "\n" + blank(indent)
      return "  \(name)\(begin)\(text)"
    }.joined(separator: "\n")
  }

  /// Breaks a text into lines. All but the first begin with blanks; the first one begins in this
  /// column.
  private static func wrapped(_ text: String, indent: Int = 0, at column: Int = 0) -> String {
    var (lines, left) = ([""], lineWidth - column)
    for word in text.split(separator: " ") {
      let isFirst = lines.last == ""
      if !isFirst, word.count + 1 > left {
        lines.append("")
        left = lineWidth - indent
      }
      let added = lines.last == "" ? String(word) : " \(word)"
      lines[lines.count - 1] += added
      left -= added.count
    }
    return lines.joined(separator: "\n" + blank(indent))
  }

  private static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
}
