import Foundation
import ThreadmillChildren
import ThreadmillTestSupport

/// One of the C programs under Tests/Fixtures/Programs/Plain, which know nothing of Threadmill, run
/// by `threadmill run`.
struct PlainProgram: Sendable {
  /// What a run did, and the report that was asked for.
  struct Run: Sendable {
    var child: ChildProcess.Result
    /// `nil` if none was written.
    var report: ReportFile?
  }

  /// The name of its source file.
  var name: String
  var arguments: [String] = []

  static let sources = Checkout.root.appending(path: "Tests/Fixtures/Programs/Plain")

  /// Compiles it into a folder.
  func compiled(in directory: TemporaryDirectory, _ flags: String...) async throws -> URL {
    let source = Self.sources.appending(path: "\(name).c").path
    let program = directory.file(name)
    let words = ["-g", "-pthread"] + flags + [source, "-o", program.path]
    let child = ChildProcess(
      executable: Tool.compiler.path ?? "", arguments: words,
      environment: Program.environment(options: nil), limit: 60)
    let result = try await child.run()
    guard result.outcome == .exited(0) else { throw Tool.Failure(result: result) }
    return program
  }

  /// Compiles it and has it watched.
  func run(
    _ switches: [String] = [], environment: [String: String] = [:],
    stop: (URL) -> ChildProcess.Stop = { _ in .never }
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await compiled(in: directory)
    let file = directory.file("report.json")
    let words = switches + ["--json", file.path, "--", program.path] + arguments
    let child = try await Self.threadmill(words, environment: environment, stop: stop(file))
    return Run(child: child, report: try ReportFile(at: file))
  }

  /// Runs `threadmill run`.
  static func threadmill(
    _ words: [String], environment: [String: String] = [:], stop: ChildProcess.Stop = .never
  ) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path, arguments: ["run"] + words,
      environment: Program.environment(options: nil).merging(environment) { $1 },
      limit: Program.limit)
    return try await Slots.children.occupy { try await child.run(stop: stop) }
  }
}
