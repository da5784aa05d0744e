/// One thing that is wrong with one word of a list of options.
package enum OptionError: Hashable, Sendable {
  /// No option has this name; `nearest` is the one with the most similar name.
  case unknownName(String, value: String?, nearest: String)
  /// The option exists, and its value is not one of those allowed.
  case badValue(name: String, value: String, allowed: [String])
  /// The option's name stands alone.
  case missingValue(name: String, allowed: [String])
  /// Two words of one list set the same option.
  case repeated(name: String, value: String)
  /// A double quote was opened and not closed.
  case unclosedQuote(name: String)
}

extension OptionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownName(let name, let value, let nearest):
      let known = Options.table.map(\.name).joined(separator: ", ")
      return "\(Self.word(name, value)) is not known; nearest: \(nearest); allowed: \(known)"
    case .badValue(let name, let value, let allowed):
      let allowed = allowed.joined(separator: ", ")
      let hint = Self.holdsOption(value) ? "; a space, and no comma, separates options" : ""
      return "\(Self.word(name, value)) is not valid; allowed: \(allowed)\(hint)"
    case .missingValue(let name, let allowed):
      let allowed = allowed.joined(separator: ", ")
      return "\(Self.word(name, nil)) has no value; allowed: \(name)= and one of \(allowed)"
    case .repeated(let name, let value):
      return "\(Self.word(name, value)) is one too many; allowed: \(name) once"
    case .unclosedQuote(let name):
      return "\(Self.word(name, nil)) has a value whose quote is not closed; allowed: \"…\""
    }
  }

  /// Whether another option follows a comma.
  private static func holdsOption(_ value: String) -> Bool {
    value.split(separator: ",").dropFirst().contains { part in
      Options.table.contains { part.hasPrefix("\($0.name)=") }
    }
  }

  /// The word as the user may have written it, on one line whatever it contains.
  private static func word(_ name: String, _ value: String?) -> String {
    guard let value else { return name.printable }
    let isPlain = !value.isEmpty && !value.utf8.contains { $0 == 0x20 || $0 == 0x22 }
    return "\(name.printable)=\(isPlain ? value.printable : "\"\(value.printable)\"")"
  }
}

/// Everything that is wrong with one list of options; never empty.
package struct InvalidOptions: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the list came from: the environment variable, or a switch of a command.
  package let source: String
  package let errors: [OptionError]

  package init(source: String, errors: [OptionError]) {
    self.source = source
    self.errors = errors
  }

  /// One line for each error, each naming the source, the option, its value and what is allowed.
  package var description: String {
    errors.map { "\(source): \($0)" }.joined(separator: "\n")
  }
}
