import Testing

@testable import ThreadmillCommand

@Suite struct CommandLineTests {
  /// Commands as they will come, beside the one that there is.
  private static let table = [
    command("scenarios list", switches: [Switch("--json", "Write JSON.")]),
    command("scenarios run", operands: .some(placeholder: "ID")),
    command(
      "run",
      switches: [
        Switch("--repeat", takes: count, "Run it so often."),
        Switch("--width", takes: count, isRepeatable: true, "As wide as this, too."),
      ],
      operands: .program(placeholder: "EXECUTABLE ARGUMENT…")),
  ]

  private static let count = Switch.Value(placeholder: "N", allowed: "a whole number above 0") {
    Int($0).map { $0 > 0 } ?? false
  }

  private static func command(
    _ name: String, switches: [Switch] = [], operands: Command.Operands = .none
  ) -> Command {
    Command(name: name, sentence: "Does it.", switches: switches, operands: operands) { _, _ in
      .nothingFound
    }
  }

  /// A request as a value.
  private enum Read: Equatable {
    case help(String?)
    case version
    case run(String, Arguments)
  }

  private func read(_ line: String) throws(UsageError) -> Read {
    let words = line.split(separator: " ").map(String.init)
    return switch try CommandLineParser(table: Self.table).parse(words) {
    case .help(let command): .help(command?.name)
    case .version: .version
    case .run(let command, let arguments): .run(command.name, arguments)
    }
  }

  @Test func whatIsRightIsUnderstood() throws {
    #expect(try read("--help") == .help(nil))
    #expect(try read("-h") == .help(nil))
    #expect(try read("scenarios --help") == .help(nil))
    #expect(try read("--version") == .version)
    #expect(try read("run --help") == .help("run"))
    #expect(
      try read("scenarios list --json") == .run("scenarios list", Arguments(values: ["--json": ""]))
    )
    #expect(
      try read("scenarios run a b") == .run("scenarios run", Arguments(operands: ["a", "b"])))
    let program = Arguments(values: ["--repeat": "3"], operands: ["tool", "--help", "-x"])
    #expect(try read("run --repeat 3 -- tool --help -x") == .run("run", program))
    #expect(try read("run --repeat=3 -- tool --help -x") == .run("run", program))
    #expect(
      try read("run --width 3 --width=2 -- tool")
        == .run("run", Arguments(lists: ["--width": ["3", "2"]], operands: ["tool"])))
  }

  @Test(
    arguments: [
      ("", .noCommand(allowed: ["scenarios list", "scenarios run", "run"])),
      ("rum", .unknownCommand("rum", allowed: ["scenarios list", "scenarios run", "run"])),
      (
        "scenarios",
        .unknownCommand("scenarios", allowed: ["scenarios list", "scenarios run", "run"])
      ),
      (
        "scenarios lits --json",
        .unknownCommand("scenarios lits", allowed: ["scenarios list", "scenarios run", "run"])
      ),
      ("--jsn", .unknownSwitch("--jsn", command: nil, allowed: ["--help", "--version"])),
      (
        "scenarios list --jsn",
        .unknownSwitch("--jsn", command: "scenarios list", allowed: ["--json", "--help"])
      ),
      (
        "run --repeat",
        .missingValue(name: "--repeat", command: "run", allowed: "a whole number above 0")
      ),
      (
        "run --repeat -- tool",
        .missingValue(name: "--repeat", command: "run", allowed: "a whole number above 0")
      ),
      (
        "run --repeat=0 -- tool",
        .badValue(name: "--repeat", value: "0", command: "run", allowed: "a whole number above 0")
      ),
      (
        "run --width 1 --width 0 -- tool",
        .badValue(name: "--width", value: "0", command: "run", allowed: "a whole number above 0")
      ),
      ("run --repeat 1 --repeat 2 -- tool", .repeated(name: "--repeat", command: "run")),
      (
        "scenarios list --json=x",
        .unwantedValue(name: "--json", value: "x", command: "scenarios list")
      ),
      ("scenarios list --json --json", .repeated(name: "--json", command: "scenarios list")),
      (
        "scenarios list all",
        .unwantedOperand("all", command: "scenarios list", allowed: "switches only")
      ),
      (
        "run tool",
        .unwantedOperand("tool", command: "run", allowed: "-- EXECUTABLE ARGUMENT…")
      ),
      ("run", .missingOperand(command: "run", allowed: "-- EXECUTABLE ARGUMENT…")),
      ("scenarios run", .missingOperand(command: "scenarios run", allowed: "ID…")),
    ] as [(String, UsageError)])
  func whatIsWrongIsNamed(_ line: String, _ error: UsageError) {
    #expect(throws: error) { try read(line) }
  }

  @Test func anErrorNamesTheWordAndWhatIsAllowed() {
    let error = UsageError.unknownSwitch(
      "--jsn\u{1B}", command: "doctor", allowed: ["--json", "--quick", "--help"])
    #expect(
      "\(error)" == #"""
        threadmill doctor: no switch is called "--jsn\u{1B}"; nearest: --json; allowed: --json, --quick, --help
        see: threadmill doctor --help
        """#)
  }

  @Test func helpHasEveryCommandAndEverySwitch() {
    let overview = Self.onOneLine(CommandHelp.overview())
    for command in Command.table {
      #expect(overview.contains(" \(command.name) \(command.sentence)"))
      let text = Self.onOneLine(CommandHelp.text(of: command))
      for known in command.switches {
        #expect(text.contains(" \(known.form) \(known.sentence)"))
      }
    }
    for status in ExitStatus.allCases {
      #expect(overview.contains("\(status.rawValue) \(status.sentence)"))
    }
  }

  private static func onOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func helpFitsIntoATerminal() {
    let texts = [CommandHelp.overview()] + Command.table.map(CommandHelp.text)
    let lines = texts.flatMap { $0.split(separator: "\n") }
    // The name of a switch with its values stays in one piece.
    let names = Set(Command.table.flatMap(\.switches).map { "  \($0.form)" })
    #expect(lines.filter { $0.count > 80 && !names.contains(String($0)) } == [])
    #expect(lines.filter { $0.hasSuffix(" ") } == [])
  }

  @Test func theTableIsTidy() {
    #expect(Set(Command.table.map(\.name)).count == Command.table.count)
    for command in Command.table {
      let names = command.switches.map(\.name)
      #expect(names == names.sorted() && Set(names).count == names.count)
      #expect(names.allSatisfy { $0.hasPrefix("--") && $0 != "--help" })
      #expect(command.sentence.hasSuffix("."))
    }
  }

  @Test(arguments: [
    (["TERM": "xterm"], true, true), ([:], true, true), (["TERM": "dumb"], true, false),
    (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true), ([:], false, false),
  ])
  func coloursAreForWhoWantsThem(_ environment: [String: String], isTerminal: Bool, _ wants: Bool) {
    #expect(Console.wantsColour(environment, isTerminal: isTerminal) == wants)
  }
}
