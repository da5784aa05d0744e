import Foundation
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill explore`.
enum ExploreCommand {
  /// Runs it with a file as its standard input.
  static func run(
    _ words: [String], input: String = "", in directory: TemporaryDirectory,
    environment: [String: String] = [:]
  ) async throws -> ChildProcess.Result {
    let file = directory.file("input")
    try Data(input.utf8).write(to: file)
    let tool = try Program.named("threadmill").path
    let script = #"exec "$0" explore "$@" <"\#(file.path)""#
    let child = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", script, tool] + words,
      environment: Program.environment(options: nil).merging(environment) { $1 },
      limit: Program.limit)
    return try await Slots.children.occupy { try await child.run() }
  }
}
