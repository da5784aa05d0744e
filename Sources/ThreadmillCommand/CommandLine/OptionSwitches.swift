import ThreadmillModel

/// The switches that set options of the watched process. Their names, values and sentences come
/// from the table of options.
enum OptionSwitches {
  /// The options that are switches of every command that runs something. Each command has its own
  /// switches for the report and for repetition.
  private static let names: Set = [
    "confirm", "continue", "hang", "inversionlimit", "mainlimit", "nearmisses", "pool", "profile",
    "without",
  ]
  /// The options that a schedule makes superfluous.
  static let namesOfChance: Set = ["jitter", "jitterbudget", "seed"]
  /// The options of explorations only.
  static let namesOfExplorations: Set = ["schedules", "strategy", "towards"]
  /// A switch whose name is not that of its option.
  private static let aliases = ["jitterbudget": "budget"]

  /// The options of explorations of programs.
  private static let namesOfPrograms: Set = [
    "cores", "schedule", "schedules", "seed", "strategy", "towards", "without",
  ]

  private static let entries = Options.table.filter {
    names.union(namesOfChance).union(namesOfPrograms).contains($0.name)
  }

  /// The switches of every run.
  static let all = switches(names.union(namesOfChance))
  static let ofExplorations = switches(namesOfExplorations)
  /// The switches of an exploration of a program.
  static let ofPrograms = switches(namesOfPrograms)
  /// The switches of a run under a schedule.
  static let ofReplays = switches(names)

  private static func switches(_ names: Set<String>) -> [Switch] {
    entries.filter { names.contains($0.name) }.map { entry in
      let isChance = namesOfChance.contains(entry.name)
      return Switch(name(of: entry), takes: entry.isFlag ? nil : .option(entry), entry.sentence)
        .under(isChance ? .chance : .search)
    }
  }

  /// The options, replaced by those that were typed.
  static func options(_ arguments: Arguments, over options: Options) -> Options {
    var options = options
    for entry in entries {
      guard let value = arguments.values[name(of: entry)] else { continue }
      // The parser let nothing else through.
      _ = entry.write(&options, entry.isFlag ? "true" : value)
    }
    return options
  }

  /// The words that set these options, without defaults and without the options in `left`.
  static func words(for options: Options, without left: Set<String> = []) -> [String] {
    entries.filter { !left.contains($0.name) }.flatMap { entry -> [String] in
      guard let value = entry.read(options), value != entry.fallback else { return [] }
      return entry.isFlag ? [name(of: entry)] : [name(of: entry), value.shellQuoted]
    }
  }

  private static func name(of entry: Options.Entry) -> String {
    "--\(aliases[entry.name] ?? entry.name)"
  }
}

extension Options.Entry {
  /// Whether it is off by default and takes no value.
  fileprivate var isFlag: Bool { allowed == ["true", "false"] }
}

extension Switch.Value {
  fileprivate static func option(_ entry: Options.Entry) -> Switch.Value {
    Switch.Value(placeholder: entry.placeholder, allowed: entry.allowed.joined(separator: ", ")) {
      var options = Options()
      return entry.write(&options, $0)
    }
  }
}

extension String {
  /// The same word for a shell.
  package var shellQuoted: String {
    let isPlain =
      !isEmpty
      && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./:=+,@%".contains($0)) }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
