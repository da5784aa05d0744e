import ThreadmillModel

/// A mistake in the command line: exit status 2.
///
/// `command` is the command that was meant; `nil` before one was named.
package enum UsageError: Error, Hashable, Sendable {
  case noCommand(allowed: [String])
  case unknownCommand(String, allowed: [String])
  case unknownSwitch(String, command: String?, allowed: [String])
  case missingValue(name: String, command: String, allowed: String)
  case badValue(name: String, value: String, command: String, allowed: String)
  /// A switch that stands alone was given a value.
  case unwantedValue(name: String, value: String, command: String)
  case repeated(name: String, command: String)
  case unwantedOperand(String, command: String, allowed: String)
  case missingOperand(command: String, allowed: String)
  case unknownScenario(String, command: String, nearest: [String])
  case missingVariant(String, scenario: String, command: String, allowed: [String])
}

extension UsageError: CustomStringConvertible {
  /// Two lines: the word that is wrong with what is allowed, and where to read more.
  package var description: String {
    let program = (["threadmill"] + [command].compactMap(\.self)).joined(separator: " ")
    return "\(program): \(complaint)\nsee: \(program) --help"
  }

  private var command: String? {
    switch self {
    case .noCommand, .unknownCommand: nil
    case .unknownSwitch(_, let command, _): command
    case .missingValue(_, let command, _), .badValue(_, _, let command, _),
      .unwantedValue(_, _, let command), .repeated(_, let command),
      .unwantedOperand(_, let command, _), .missingOperand(let command, _),
      .unknownScenario(_, let command, _), .missingVariant(_, _, let command, _):
      command
    }
  }

  private var complaint: String {
    switch self {
    case .noCommand(let allowed):
      "no command; allowed: \(allowed.joined(separator: ", "))"
    case .unknownCommand(let word, let allowed):
      "no command is called \(Self.quoted(word))\(Self.choice(word, allowed))"
    case .unknownSwitch(let word, _, let allowed):
      "no switch is called \(Self.quoted(word))\(Self.choice(word, allowed))"
    case .missingValue(let name, _, let allowed):
      "\(name) has no value; allowed: \(name) and \(allowed)"
    case .badValue(let name, let value, _, let allowed):
      "\(name) \(Self.quoted(value)) is not valid; allowed: \(allowed)"
    case .unwantedValue(let name, let value, _):
      "\(name) takes no value, here \(Self.quoted(value)); allowed: \(name) alone"
    case .repeated(let name, _):
      "\(name) is given twice; allowed: once"
    case .unwantedOperand(let word, _, let allowed):
      "\(Self.quoted(word)) is one too many; allowed: \(allowed)"
    case .missingOperand(_, let allowed):
      "something is missing at the end; allowed: \(allowed)"
    case .unknownScenario(let word, _, let nearest):
      """
      no scenario is called \(Self.quoted(word)); nearest: \(nearest.joined(separator: ", ")); \
      all: threadmill scenarios list
      """
    case .missingVariant(let variant, let scenario, _, let allowed):
      "\(scenario) has no variant \(variant); allowed: \(allowed.joined(separator: ", "))"
    }
  }

  private static func quoted(_ word: String) -> String { "\"\(word.printable)\"" }

  /// The nearest of the allowed words by edits, then all of them.
  private static func choice(_ word: String, _ allowed: [String]) -> String {
    let distances = allowed.map { (name: $0, distance: Options.editDistance(word, $0)) }
    let nearest = distances.min { $0.distance < $1.distance }.map { "; nearest: \($0.name)" }
    return "\(nearest ?? ""); allowed: \(allowed.joined(separator: ", "))"
  }
}
