import ThreadmillModel

/// The command-line tool as a whole.
package enum Tool {
  /// The newest version that CHANGELOG.md has a section for. `scripts/release` compares them.
  package static let version = "0.1.0"

  /// Does what was typed.
  ///
  /// - Parameter words: what was typed behind the name of the program.
  package static func run(_ words: [String], console: Console) -> ExitStatus {
    if words == [LayoutTrial.word] { return LayoutExercise.run(console) }
    let request: Request
    do {
      request = try CommandLineParser().parse(words)
    } catch {
      console.complain("\(error)\n")
      return .wrongUsage
    }
    switch request {
    case .help(let command):
      console.say(command.map(CommandHelp.text) ?? CommandHelp.overview())
      return .nothingFound
    case .version:
      console.say("threadmill \(version)\n")
      return .nothingFound
    case .run(let command, let arguments):
      return run(command, arguments, console)
    }
  }

  /// Runs the command. An error that it throws is Threadmill's own fault, and is worded as such,
  /// unless it is a ``UsageError`` or a ``Failure``.
  private static func run(
    _ command: Command, _ arguments: Arguments, _ console: Console
  ) -> ExitStatus {
    do {
      return try command.run(arguments, console)
    } catch let error as UsageError {
      console.complain("\(error)\n")
      return .wrongUsage
    } catch let failure as any Failure {
      for line in failure.lines { console.complain("threadmill \(command.name): \(line)\n") }
      return failure.status
    } catch {
      let reason = String(describing: error).printable
      console.complain("Threadmill internal error: threadmill \(command.name): \(reason)\n")
      return .harnessFailed
    }
  }
}
