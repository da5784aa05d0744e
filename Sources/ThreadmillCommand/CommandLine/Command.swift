/// One command of the command line: its help, its switches and operands, and its work.
///
/// ``table`` feeds the parser, `--help` and the README; nothing else knows the names.
package struct Command: Sendable {
  /// The name as it is typed, which may have two words: `scenarios list`.
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

  /// The words that may follow the switches.
  package enum Operands: Hashable, Sendable {
    case none
    /// One or more, such as `FILE`.
    case some(placeholder: String)
    /// Words such as `TEST SCHEDULE`, whose number the command itself checks.
    case words(String)
    /// A program and its arguments, after `--`.
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

/// The switches and operands of a call, after the parser has checked them.
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
  /// The status of the program that the command ran.
  case program(Int32)

  /// The statuses that Threadmill itself chooses.
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
    case .nothingFound: "nothing wrong; there may be warnings"
    case .findings: "errors found, or something else wrong"
    case .wrongUsage: "wrong usage or a broken file"
    case .harnessFailed: "Threadmill itself failed, or a shard is missing"
    case .program: "what the program said"
    }
  }
}
