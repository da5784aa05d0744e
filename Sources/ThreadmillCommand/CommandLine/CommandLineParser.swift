/// The meaning of a command line.
package enum Request: Sendable {
  /// `nil` for the help that lists the commands.
  case help(Command?)
  case version
  case run(Command, Arguments)
}

/// Reads a command line by a table of commands; does nothing else, and knows no command.
package struct CommandLineParser {
  private let table: [Command]

  package init(table: [Command] = Command.table) { self.table = table }

  /// - Parameter words: what was typed behind the name of the program.
  package func parse(_ words: [String]) throws(UsageError) -> Request {
    let names = table.map(\.name)
    guard let first = words.first else { throw .noCommand(allowed: names) }
    if Self.asksForHelp(first) { return .help(nil) }
    if first == "--version" { return .version }
    if first.hasPrefix("-") {
      throw .unknownSwitch(first, command: nil, allowed: ["--help", "--version"])
    }
    guard let (command, count) = command(at: words) else {
      if isGroup(first), words.dropFirst().first.map(Self.asksForHelp) ?? false {
        return .help(nil)
      }
      throw .unknownCommand(meant(by: words), allowed: names)
    }
    var reading = Reading(command: command, rest: words.dropFirst(count))
    return try reading.request()
  }

  /// The word that stands for a command; two words if the first one begins the name of a command.
  private func meant(by words: [String]) -> String {
    words.prefix(isGroup(words[0]) ? 2 : 1).joined(separator: " ")
  }

  /// Whether commands of several words begin with this one.
  private func isGroup(_ word: String) -> Bool { table.contains { $0.name.hasPrefix("\(word) ") } }

  /// The command with the most words that `words` begins with, and how many those are.
  private func command(at words: [String]) -> (command: Command, count: Int)? {
    table.map { (command: $0, name: $0.name.split(separator: " ").map(String.init)) }
      .filter { words.starts(with: $0.name) }
      .max { $0.name.count < $1.name.count }
      .map { ($0.command, $0.name.count) }
  }

  fileprivate static func asksForHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }
}

/// The part of a command line behind the name of its command.
private struct Reading {
  let command: Command
  var rest: ArraySlice<String>
  var arguments = Arguments()

  mutating func request() throws(UsageError) -> Request {
    while let word = rest.popFirst() {
      if CommandLineParser.asksForHelp(word) { return .help(command) }
      if word == "--" {
        try takeOperands(Array(rest), behindDashes: true)
        return .run(command, try complete())
      }
      if word.hasPrefix("-"), word != "-" {
        try takeSwitch(word)
      } else {
        try takeOperands([word], behindDashes: false)
      }
    }
    return .run(command, try complete())
  }

  private mutating func takeSwitch(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    guard let known = command.switches.first(where: { $0.name == name }) else {
      let allowed = command.switches.map(\.name) + ["--help"]
      throw .unknownSwitch(name, command: command.name, allowed: allowed)
    }
    if arguments.has(name) { throw .repeated(name: name, command: command.name) }
    let value = try value(of: known, attached: attached)
    if known.isRepeatable {
      arguments.lists[name, default: []].append(value)
    } else {
      arguments.values[name] = value
    }
  }

  /// The value of the switch. A word that begins with dashes is the next switch, not a value.
  private mutating func value(of known: Switch, attached: String?) throws(UsageError) -> String {
    guard let wanted = known.value else {
      guard let attached else { return "" }
      throw .unwantedValue(name: known.name, value: attached, command: command.name)
    }
    let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let value = attached ?? next else {
      throw .missingValue(name: known.name, command: command.name, allowed: wanted.allowed)
    }
    if attached == nil { rest.removeFirst() }
    guard wanted.accepts(value) else {
      throw .badValue(
        name: known.name, value: value, command: command.name, allowed: wanted.allowed)
    }
    return value
  }

  private mutating func takeOperands(
    _ words: [String], behindDashes: Bool
  ) throws(UsageError) {
    let isAllowed =
      switch command.operands {
      case .none: false
      case .some, .words: true
      case .program: behindDashes
      }
    if !isAllowed, let first = words.first {
      throw .unwantedOperand(first, command: command.name, allowed: command.operands.allowed)
    }
    arguments.operands += words
  }

  private func complete() throws(UsageError) -> Arguments {
    if command.operands != .none, arguments.operands.isEmpty {
      throw .missingOperand(command: command.name, allowed: command.operands.allowed)
    }
    return arguments
  }
}

extension Command.Operands {
  /// The allowed operands, for error messages.
  fileprivate var allowed: String {
    switch self {
    case .none: "switches only"
    case .some(let placeholder): "\(placeholder)…"
    case .words(let words): words
    case .program(let placeholder): "-- \(placeholder)"
    }
  }
}
