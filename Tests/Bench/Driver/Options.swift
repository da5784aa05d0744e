/// What the user typed.
struct Options {
  /// Where the numbers go as JSON; `nil` for nowhere.
  var json: String?
  /// How often each of the two executables measures everything.
  var rounds = 15
  var wantsHelp = false

  static let help = """
    usage: scripts/bench [--json FILE] [--rounds N]

    Measures what watching costs: one program without the harness and one with it, in turn.
      --json FILE   write the numbers to FILE as well
      --rounds N    run each program N times (default 15)
    Exit status: 0 within all limits; 1 beyond one; 2 wrong usage; 3 the benchmark itself failed.

    """

  /// Throws `UsageError` at the first argument that is not understood.
  init(parsing arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      switch parts.first {
      case "--json": json = try Self.value(of: parts, or: &rest)
      case "--rounds": rounds = try Self.count(try Self.value(of: parts, or: &rest))
      case "-h", "--help": wantsHelp = true
      default: throw UsageError("unknown argument \(argument)")
      }
    }
  }

  /// What stands behind the equals sign, or else the next argument.
  private static func value(
    of parts: [String], or rest: inout ArraySlice<String>
  ) throws -> String {
    if parts.count == 2 { return parts[1] }
    guard let next = rest.popFirst() else { throw UsageError("\(parts[0]) needs a value") }
    return next
  }

  private static func count(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else {
      throw UsageError("--rounds needs a whole number above 0, not \(text)")
    }
    return number
  }
}

/// The command line is wrong: the user's fault, exit status 2.
struct UsageError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
