import Foundation
import Testing
import ThreadmillTestSupport

@Suite struct ChildProcessTests {
  private func shell(_ script: String, limit: TimeInterval = 60) -> ChildProcess {
    ChildProcess(executable: "/bin/sh", arguments: ["-c", script], limit: limit)
  }

  @Test func tellsHowItEnded() async throws {
    #expect(try await shell("exit 3").run().outcome == .exited(3))
    #expect(try await shell("kill -6 $$").run().outcome == .signalled(SIGABRT))
  }

  @Test func handsOverOutputThatFillsEveryPipe() async throws {
    let result = try await shell("head -c 300000 /dev/zero; head -c 400000 /dev/zero >&2").run()
    #expect(result.standardOutput.utf8.count == 300_000)
    #expect(result.standardError.utf8.count == 400_000)
    #expect(result.outcome == .exited(0))
  }

  @Test func inheritsNothing() async throws {
    var child = shell("echo $GREETING:$HOME")
    child.environment = ["GREETING": "hello"]
    #expect(try await child.run().standardOutput == "hello:\n")
  }

  @Test func refusesWhatIsNotThere() async throws {
    let child = ChildProcess(executable: "/nowhere/program", limit: 60)
    await #expect(throws: ChildProcess.NotStarted.self) { try await child.run() }
  }

  /// `set -m` gives the grandchild a process group of its own; the session is what holds it.
  @Test func endsGrandchildrenAtTheLimit() async throws {
    let child = shell("set -m; sleep 1000 & echo $!; wait", limit: 0.3)
    let result = try await child.run()
    #expect(result.outcome == .timedOut)
    let grandchild = result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(pid_t(grandchild) != nil)
    let state = ProcessStatus(path: "/proc/\(grandchild)")?.state
    #expect(state == nil || state == "Z")
  }

  @Test func endsGrandchildrenThatTheChildLeavesBehind() async throws {
    let result = try await shell("sleep 1000 & echo $!").run()
    #expect(result.outcome == .exited(0))
    let grandchild = result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(pid_t(grandchild) != nil)
    let state = ProcessStatus(path: "/proc/\(grandchild)")?.state
    #expect(state == nil || state == "Z")
  }

  @Test func stopsWhenEnoughIsSeen() async throws {
    #expect(try await shell("exec sleep 1000").run(stop: .when { true }).outcome == .stopped)
    #expect(try await shell("exec sleep 1000").run(stop: .whenQuiet).outcome == .stopped)
  }

  @Test func isNotQuietWhileItWorks() async throws {
    let busy = shell("while :; do :; done", limit: 2)
    #expect(try await busy.run(stop: .whenQuiet).outcome == .timedOut)
  }
}
