/// One command of the command line: what people read about it, what may be typed, what it does.
///
/// ``table`` feeds the parser, `--help` and the README; nothing else knows the names.
package struct Command: Sendable {
  /// What is typed; of several words, such as `scenarios list`, all of them.
  package let name: String
  /// One sentence.
  package let sentence: String
  /// In alphabetical order; `--help` is understood without being one of them.
  package let switches: [Switch]
  package let operands: Operands
  /// Command lines that people type often, each with a sentence that says what it does.
  package let examples: [(String, String)]
  /// When it ends with status 1, in the words of `--help`.
  package let fails: String
  /// Does the work, and returns how the process is to end.
  package let run: @Sendable (Arguments, Console) throws -> ExitStatus

  /// What may stand behind the switches.
  package enum Operands: Hashable, Sendable {
    case none
    /// One or more, such as `FILE`.
    case some(placeholder: String)
    /// So many words, such as `TEST SCHEDULE`, which the command itself counts.
    case words(String)
    /// Behind `--`, untouched: a program and its arguments.
    case program(placeholder: String)
  }

  package init(
    name: String, sentence: String, switches: [Switch] = [], operands: Operands = .none,
    examples: [(String, String)] = [], fails: String = ExitStatus.findings.sentence,
    run: @escaping @Sendable (Arguments, Console) throws -> ExitStatus
  ) {
    self.name = name
    self.sentence = sentence
    self.switches = switches
    self.operands = operands
    self.examples = examples
    self.fails = fails
    self.run = run
  }
}

/// What a command is called with, once the parser has let it through.
package struct Arguments: Hashable, Sendable {
  /// The value of each switch that was given and may be given once; empty for one that takes none.
  package var values: [String: String] = [:]
  /// The values of each switch that may be given more than once.
  package var lists: [String: [String]] = [:]
  package var operands: [String] = []

  package init(
    values: [String: String] = [:], lists: [String: [String]] = [:], operands: [String] = []
  ) {
    self.values = values
    self.lists = lists
    self.operands = operands
  }

  package func has(_ name: String) -> Bool { values[name] != nil }
}

/// How a process of the command line ends.
package enum ExitStatus: Hashable, CaseIterable, Sendable {
  case nothingFound
  case findings
  case wrongUsage
  case harnessFailed
  /// What a program said that was run for somebody.
  case program(Int32)

  /// Those that Threadmill decides on.
  package static let allCases: [ExitStatus] = [
    .nothingFound, .findings, .wrongUsage, .harnessFailed,
  ]

  package var rawValue: Int32 {
    switch self {
    case .nothingFound: 0
    case .findings: 1
    case .wrongUsage: 2
    case .harnessFailed: 3
    case .program(let status): status
    }
  }

  package var sentence: String {
    switch self {
    case .nothingFound: "nothing found"
    case .findings: "findings, or something wrong"
    case .wrongUsage: "wrong usage or a broken file"
    case .harnessFailed: "Threadmill itself failed, or a shard is missing"
    case .program: "what the program said"
    }
  }
}
