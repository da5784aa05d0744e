import Foundation
import ThreadmillChildren
import ThreadmillModel
import ThreadmillReporting

/// A program that takes the place of the tool, with Threadmill in it.
struct ForegroundRun {
  /// The program and its arguments.
  let words: [String]
  private let program: WatchableProgram
  private let environment: [String: String]

  /// What a run came to.
  struct Result {
    /// `nil` if no process wrote one.
    let report: Report?
    let outcome: ChildProcess.Outcome
  }

  init(_ words: [String], environment: [String: String]) throws {
    self.words = words
    self.environment = environment
    program = try WatchableProgram(words[0], environment: environment)
  }

  /// Runs the program to its end. The library that the tool needs for it is built if it is missing.
  ///
  /// - Parameter additions: what the program's environment has besides its own, for a folder that
  ///   is there until the end of the run.
  func run(
    telling options: Options,
    adding additions: (TemporaryDirectory) -> [String: String] = { _ in [:] },
    _ console: Console
  ) throws -> Result {
    if !program.hasGate {
      try Interruption.heeding { [console] in try await ToolBuild.provide(.preload, console) }
    }
    let scratch = try TemporaryDirectory()
    defer { scratch.remove() }
    let file = scratch.file("report.json").path
    ReportMailbox.make(beside: file)
    var told = options
    told.report = file
    told.isBrief = true
    let process = ForegroundProcess(
      executable: program.path, arguments: words,
      environment: try environment(telling: told, scratch: scratch)
        .merging(additions(scratch)) { $1 })
    let outcome = try process.run()
    let report = try RunReport.read(file)?.withoutConsequencesOfDeadlocks
    return Result(report: report, outcome: outcome)
  }

  /// The program's own environment, with the library and the options.
  private func environment(
    telling options: Options, scratch: TemporaryDirectory
  ) throws -> [String: String] {
    var own = environment.filter { $0.key != RunIdentity.variable }
    own[Options.variable] = options.text
    // The library brings Swift's runtime. Without this, its backtraces would appear in C programs.
    if !program.isSwift { own["SWIFT_BACKTRACE"] = own["SWIFT_BACKTRACE"] ?? "enable=no" }
    return program.hasGate
      ? own : try ToolFile(.preload).preloaded(over: own, scratch: scratch)
  }
}
