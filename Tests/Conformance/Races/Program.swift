/// A small program that Thread Sanitizer must report in every run, or must never report.
struct Program: Sendable {
  enum Verdict: String, Sendable {
    /// Two accesses that nothing orders: reported in every run, with the gate and without it.
    case racy
    /// Two accesses that exactly one primitive orders: reported if that primitive is not seen.
    case correct
  }

  enum Body: Sendable {
    /// Runs on the main thread.
    case threads(@Sendable () -> Void)
    /// Runs in the main task.
    case tasks(@Sendable () async -> Void)
  }

  let id: String
  let verdict: Verdict
  let body: Body

  static func racy(_ id: String, _ body: @escaping @Sendable () -> Void) -> Program {
    Program(id: id, verdict: .racy, body: .threads(body))
  }

  static func correct(_ id: String, _ body: @escaping @Sendable () -> Void) -> Program {
    Program(id: id, verdict: .correct, body: .threads(body))
  }

  static func racyTasks(_ id: String, _ body: @escaping @Sendable () async -> Void) -> Program {
    Program(id: id, verdict: .racy, body: .tasks(body))
  }

  static func correctTasks(_ id: String, _ body: @escaping @Sendable () async -> Void) -> Program {
    Program(id: id, verdict: .correct, body: .tasks(body))
  }
}

/// Every program, the racy ones first.
private let programs =
  unguardedRaces + gateRaces + lateRaces + lockHandOvers + queueHandOvers + taskHandOvers

/// Runs what the arguments ask for: `list` names all programs with their verdicts, an identifier
/// runs that program, `matrix …` is the matrix's (`runMatrix`). Returns the exit status.
@MainActor package func runLaw2(_ arguments: [String]) async -> Int32 {
  if arguments.dropFirst().first == "matrix" {
    return await runMatrix(Array(arguments.dropFirst(2)))
  }
  guard let wanted = arguments.dropFirst().first, wanted != "list" else {
    for program in programs { print(program.id, program.verdict.rawValue) }
    return 0
  }
  guard let chosen = programs.first(where: { $0.id == wanted }) else {
    print("no program is called \(wanted); `list` names them")
    return 2
  }
  switch chosen.body {
  case .threads(let body): body()
  case .tasks(let body): await body()
  }
  return 0
}
