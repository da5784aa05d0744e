import Foundation
import Synchronization
import Testing
import ThreadmillChildren
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

  /// Before the child has ended, and in whole lines, whatever the pieces that it writes.
  @Test func isHeardWhileItRuns() async throws {
    let heard = Mutex<[String]>([])
    let child = shell("printf 'one\\ntw' >&2; while :; do :; done")
    let result = try await child.run(stop: .when { heard.withLock { !$0.isEmpty } }) { piece in
      heard.withLock { $0.append(piece) }
    }
    #expect(result.outcome == .stopped)
    #expect(heard.withLock { $0.first?.hasPrefix("one\n") } == true)
    #expect(heard.withLock { $0.joined() } == result.standardError)
  }

  @Test func inheritsNothing() async throws {
    var child = shell("echo $GREETING:$HOME")
    child.environment = ["GREETING": "hello"]
    #expect(try await child.run().standardOutput == "hello:\n")
  }

  @Test func doesNotIgnoreWhatItsParentIgnores() async throws {
    let before = signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, before) }
    #expect(try await shell("kill -USR2 $$").run().outcome == .signalled(SIGUSR2))
  }

  /// As root, a task of high priority runs on a thread with a nice value of its own.
  @Test func isAsNiceAsItsParent() async throws {
    let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
    let result = try await Task(priority: .high) { try await shell("nice").run() }.value
    #expect(result.standardOutput == "\(own)\n")
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

  /// The kernel shows such a process as a zombie, although its other threads go on.
  @Test(.timeLimit(.minutes(5))) func endsAProgramWithoutItsMainThread() async throws {
    let child = ChildProcess(
      executable: try Program.folder.appending(path: "harness-plain-locks").path,
      arguments: ["main-has-ended"], limit: 1)
    #expect(try await child.run().outcome == .timedOut)
  }

  @Test func stopsWhenEnoughIsSeen() async throws {
    #expect(try await shell("exec sleep 1000").run(stop: .when { true }).outcome == .stopped)
    #expect(try await shell("exec sleep 1000").run(stop: .whenQuiet).outcome == .stopped)
  }

  /// A shell that polls often starts a program each time, and one that computes never sleeps.
  @Test(arguments: ["while :; do :; done", "while sleep 0.01; do :; done"])
  func isNotQuietWhileItWorks(_ script: String) async throws {
    #expect(try await shell(script, limit: 2).run(stop: .whenQuiet).outcome == .timedOut)
  }

  /// Thread Sanitizer's and Threadmill's own threads do so, ten times a second each.
  @Test func isQuietWhileAWatchdogTicks() async throws {
    let script = "exec 3<>\"$0\"; while ! read -t 0.1 -u 3; do :; done"
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let pipe = directory.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let child = ChildProcess(
      executable: "/bin/bash", arguments: ["-c", script, pipe], limit: 60)
    #expect(try await child.run(stop: .whenQuiet).outcome == .stopped)
  }
}
