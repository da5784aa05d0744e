import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill run` without `--hang` on programs that stand still: for good, or by design.
@Suite(
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"),
  .enabled(if: Tool.compiler.isThere, "there is no C compiler"))
struct StandingTests {
  /// The hangs of the program that stands for good: the function and the object of each corner.
  private static let corners: Set<[String]> = [
    ["wait_for_bell", "semaphore"], ["idle", "condition"],
  ]

  @Test func anImpatientUserIsTold() async throws {
    let run = try await StandingProgram(way: "for-good").interrupted()
    #expect(run.child.outcome == .exited(128 + SIGINT))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == ["hang", "hang"])
    #expect(Set(report.accusations.map(\.corner)) == Self.corners)
  }

  /// SIGINT is the usual way to end a server: what it did is described, and nobody is accused.
  @Test(arguments: [("event-loop", "loops"), ("poll", "polls"), ("read", "reads")])
  func aProgramThatMayGoOnIsDescribed(_ way: String, _ function: String) async throws {
    let run = try await StandingProgram(way: way).interrupted()
    #expect(run.child.outcome == .exited(128 + SIGINT))
    let report = try #require(run.report)
    #expect(report.findings.map(\.title) == ["SIGINT: what 3 threads were doing"])
    #expect(report.findings.map(\.severity) == ["note"])
    let functions = report.findings.flatMap(\.participants).map {
      $0.frames.firstUserFrame?.function
    }
    #expect(functions == [function, "idle", "idle"])
  }

  @Test func aProgramMayHandleTheInterruptionItself() async throws {
    let run = try await StandingProgram(way: "own-handler").interrupted()
    #expect(run.child.outcome == .exited(5))
    #expect(try #require(run.report).findings.isEmpty)
  }

  /// The hang is told after 30 s, and it is SIGTERM that ends the program.
  @Test func aProgramThatStandsForGoodIsToldAndLeft() async throws {
    let run = try await StandingProgram(way: "for-good").ended(by: SIGTERM) { _, said in
      said.contains("the program is left as it is")
    }
    #expect(run.child.outcome == .exited(128 + SIGTERM))
    let report = try #require(run.report)
    #expect(Set(report.accusations.map(\.corner)) == Self.corners)
    #expect(report.accusations.map(\.count) == [1, 1])
  }

  /// All of them stand still for longer than 30 s, and go on by something from outside.
  @Test func aProgramThatWaitsForTheWorldIsNotTold() async throws {
    let ways = "poll event-loop read sleep shared signal ignored"
    let script =
      "for way in \(ways); do \"$0\" $way & all=\"$all $!\"; done; "
      + "for one in $all; do wait $one || exit 9; done"
    let run = try await StandingProgram.run(["--"]) { ["sh", "-c", script, $0] }
    #expect(run.child.outcome == .exited(0))
    let words = run.child.standardError.split(separator: "\n")
    #expect(words.filter { !$0.hasPrefix("written: ") } == ["Threadmill: no findings"])
    #expect(try #require(run.report).findings.isEmpty)
  }

  /// Another process rings the semaphore.
  @Test func aSharedSemaphoreIsNoHang() async throws {
    let run = try await StandingProgram.run(["--hang", "1", "--"]) { [$0, "shared"] }
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).findings.isEmpty)
  }
}

/// One way of the program that stands still.
private struct StandingProgram {
  var way: String

  /// Sends SIGINT when the program stands still and a handler is there: the gate's, or its own.
  func interrupted() async throws -> PlainProgram.Run {
    try await ended(by: SIGINT) { process, _ in Self.catches(SIGINT, process) }
  }

  /// Sends `threadmill run` a signal once the condition holds for the process and the words so far.
  func ended(
    by signal: Int32, when condition: @escaping @Sendable (pid_t, String) -> Bool
  ) async throws -> PlainProgram.Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await PlainProgram(name: "stands").compiled(in: directory)
    let (file, said) = (directory.file("report.json"), directory.file("said"))
    let number = directory.file("number")
    let tool = try Program.named("threadmill").path
    let child = ChildProcess(
      executable: "/bin/sh",
      arguments: [
        "-c", "exec \"$0\" run --json \"$1\" -- \"$2\" \"$3\" \"$4\" 2> \"$5\"", tool, file.path,
        program.path, way, number.path, said.path,
      ], environment: Program.environment(options: nil), limit: Program.limit)
    let result = try await Slots.children.occupy {
      try await child.run(
        stop: .asked(by: signal) { _ in
          guard let text = try? String(contentsOf: number, encoding: .utf8),
            let process = pid_t(text)
          else { return false }
          return condition(process, (try? String(contentsOf: said, encoding: .utf8)) ?? "")
        })
    }
    return PlainProgram.Run(child: result, report: try ReportFile(at: file))
  }

  /// Runs `threadmill run` with these words, and with those for the path of the program.
  static func run(
    _ switches: [String], _ words: (String) -> [String]
  ) async throws -> PlainProgram.Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await PlainProgram(name: "stands").compiled(in: directory)
    let file = directory.file("report.json")
    let child = try await PlainProgram.threadmill(
      ["--json", file.path] + switches + words(program.path),
      environment: switches.contains("--hang") ? ["SHORT": "1"] : [:])
    return PlainProgram.Run(child: child, report: try ReportFile(at: file))
  }

  private static func catches(_ signal: Int32, _ process: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let mask = status.firstMatch(of: #/SigCgt:\s*([0-9a-f]+)/#)?.output.1,
      let caught = UInt64(mask, radix: 16)
    else { return false }
    return caught & (1 << UInt64(signal - 1)) != 0
  }
}

extension ReportFile.Finding {
  /// The function and the kind of object that the first thread waits for.
  fileprivate var corner: [String] {
    let first = participants.first
    let wanted = objects.first { $0.id == first?.wants }?.kind
    return [first?.frames.firstUserFrame?.function, wanted].compactMap(\.self)
  }
}
