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

      exit status: \(statuses(failing: ExitStatus.findings.sentence))
      Set NO_COLOR in the environment to switch colours off.

      """
  }

  /// One command.
  package static func text(of command: Command) -> String {
    let examples = command.examples.isEmpty ? "" : "examples:\n\(columns(command.examples))\n\n"
    return """
      usage: threadmill \(usage(of: command))

      \(command.sentence)

      \(examples)\(switches(of: command))
      exit status: \(statuses(failing: command.fails))

      """
  }

  /// Under headings, where there is more than one.
  private static func switches(of command: Command) -> String {
    let help = ("--help", "Explain this command.")
    let width = (command.switches.map(\.form.count) + [help.0.count]).max() ?? 0
    let groups = Switch.Topic.allCases.compactMap { topic -> (String, [(String, String)])? in
      let switches = command.switches.filter { $0.topic == topic }
      return switches.isEmpty ? nil : (topic.rawValue, switches.map { ($0.form, $0.sentence) })
    }
    guard groups.count > 1 else {
      return "switches:\n\(columns((groups.first?.1 ?? []) + [help]))\n\n"
    }
    return groups.map { "\($0):\n\(columns($1, width: width))\n\n" }.joined()
      + "\(columns([help], width: width))\n\n"
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
    ExitStatus.allCases.map { "\($0.rawValue) \($0 == .findings ? sentence : $0.sentence)" }
      .joined(separator: "; ")
  }

  private static func columns(_ rows: [(String, String)], width: Int? = nil) -> String {
    let width = width ?? rows.map(\.0.count).max() ?? 0
    return rows.map { name, sentence in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(sentence)"
    }.joined(separator: "\n")
  }
}
