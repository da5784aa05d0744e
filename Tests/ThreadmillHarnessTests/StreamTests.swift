import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// The tool with streams that are closed, full, or without a reader.
@Suite(
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"),
  .enabled(if: Tool.compiler.isThere, "there is no C compiler"))
struct StreamTests {
  /// The status of a watched program is that of `threadmill run`, whatever becomes of its streams.
  @Test(arguments: [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full"])
  func aWatchedProgramKeepsItsStatus(_ streams: String) async throws {
    let result = try await shell("'\(tool)' run -- /bin/sh -c 'exit 7' \(streams)")
    #expect(result.outcome == .exited(7), "\(result.standardError)")
  }

  @Test func lostOutputIsNoSuccess() async throws {
    let result = try await shell("'\(tool)' scenarios list >/dev/full")
    #expect(result.outcome == .exited(3))
    #expect(
      result.standardError
        == "threadmill: standard output cannot be written: No space left on device\n")
  }

  @Test func aReaderThatHasReadEnoughIsNoLoss() async throws {
    // The reader has ended before the tool starts.
    let result = try await shell(
      "exec 3> >(true); wait $!; '\(tool)' scenarios list >&3; echo $?")
    #expect(result.standardOutput == "0\n")
    #expect(result.standardError == "")
  }

  private let tool: String

  init() throws { tool = try Program.named("threadmill").path }

  private func shell(_ command: String) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: "/bin/bash", arguments: ["-c", command],
      environment: Program.environment(options: nil), limit: Program.limit)
    return try await Slots.children.occupy { try await child.run() }
  }
}
