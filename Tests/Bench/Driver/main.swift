import Foundation

/// Talk goes to standard error; standard output has the table and nothing else.
private func say(_ text: String) {
  FileHandle.standardError.write(Data("bench: \(text)\n".utf8))
}

private func write(_ comparison: Comparison, to path: String) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  do {
    try encoder.encode(comparison).write(to: URL(fileURLWithPath: path), options: .atomic)
  } catch {
    throw BenchError("cannot write \(path): \(error.localizedDescription)")
  }
}

private func run() throws -> Int32 {
  let options = try Options(parsing: Array(CommandLine.arguments.dropFirst()))
  guard !options.wantsHelp else {
    print(Options.help, terminator: "")
    return 0
  }
  let comparison = try Measuring(rounds: options.rounds, progress: say).compare()
  print(comparison.table, terminator: "")
  if let path = options.json { try write(comparison, to: path) }
  return comparison.ok ? 0 : 1
}

do {
  exit(try run())
} catch let error as UsageError {
  say(error.message + "\n" + Options.help)
  exit(2)
} catch let error as BenchError {
  say(error.message)
  exit(3)
}
