import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A watched program ends as it would have ended, and what was found is said before that.
@Suite struct EndingTests {
  /// A way to end: what becomes of the process with and without a finding of its own.
  struct Ending: Sendable, CustomTestStringConvertible {
    var name: String
    var innocent: ChildProcess.Outcome
    var guilty: ChildProcess.Outcome
    /// What the program itself prints.
    var output = ""
    /// Whether it comes to its exit, where a report can still be written.
    var exits = true

    /// Thread Sanitizer would keep the child of a program with threads from having any.
    func program(_ conscience: String) -> Watched {
      var program = Watched(
        program: "harness-endings", arguments: [conscience, name], options: "without=crash")
      program.environment["TSAN_OPTIONS"] = "die_after_fork=0 report_bugs=0 atexit_sleep_ms=0"
      return program
    }

    var testDescription: String { name }
  }

  static let endings = common + (isThreadSanitized ? [] : [withoutSanitizer])

  /// Thread Sanitizer turns a segmentation fault into an exit of its own.
  private static let withoutSanitizer = signal("segmentation-fault", SIGSEGV)

  private static let common = [
    // 0 without a finding, 1 with one that no test answers for; the program's own failure is kept.
    Ending(name: "return-0", innocent: .exited(0), guilty: .exited(1)),
    Ending(name: "return-3", innocent: .exited(3), guilty: .exited(3)),
    // Fatal signals keep their meaning.
    signal("sigterm", SIGTERM), signal("abort", SIGABRT), signal("breakpoint", SIGTRAP),
    Ending(
      name: "chained-handler", innocent: .signalled(SIGTERM), guilty: .signalled(SIGTERM),
      output: "handled\n", exits: false),
    // Signals that the program deals with are none of Threadmill's business.
    Ending(
      name: "own-handler", innocent: .exited(0), guilty: .exited(1), output: "handled\n"),
    Ending(
      name: "ignored-signal", innocent: .exited(0), guilty: .exited(1), output: "survived\n"),
    // A child does as it likes: it reports nothing, and its parent reports what it would.
    Ending(name: "fork", innocent: .exited(0), guilty: .exited(1), output: "child done\n"),
    Ending(name: "fork-exec", innocent: .exited(7), guilty: .exited(7), output: "child done\n"),
    Ending(name: "system", innocent: .exited(7), guilty: .exited(7), output: "child done\n"),
  ]

  private static func signal(_ name: String, _ number: Int32) -> Ending {
    Ending(
      name: name, innocent: .signalled(number), guilty: .signalled(number), exits: false)
  }

  @Test(arguments: endings) func anInnocentProgramJustEnds(_ ending: Ending) async throws {
    let run = try await ending.program("innocent").run()
    #expect(run.child.outcome == ending.innocent)
    #expect(run.child.standardOutput == ending.output)
    #expect(run.child.standardError == "")
    #expect((run.report != nil) == ending.exits)
    #expect((run.report?.findings.count ?? 0) == 0)
  }

  /// A write beyond the limit of file sizes would send SIGXFSZ. The status says that the report is
  /// missing.
  @Test(arguments: ["innocent", "guilty"])
  func aReportThatCannotBeWrittenIsNoSignal(_ conscience: String) async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: [conscience, "full-files"]
    ).run()
    #expect(run.child.outcome == .exited(1))
    #expect(run.report == nil)
  }

  /// Without a report, a program finds no variable in its environment that it did not get.
  @Test func withoutAReportTheEnvironmentIsAsItWas() async throws {
    let program = Watched(program: "harness-endings", arguments: ["innocent", "run"])
    #expect(try await program.child(options: nil).run().standardOutput == "no run\n")
    #expect(try await program.run().child.standardOutput == "a run\n")
  }

  /// Thread Sanitizer waits at the end of a program with several threads, here for an hour. Those
  /// of Threadmill do not count, and those of the program do.
  @Test(.enabled(if: isThreadSanitized), arguments: [false, true])
  func threadsOfThreadmillAreNotWaitedFor(hasOthers: Bool) async throws {
    var program = Watched(
      program: "harness-endings", arguments: ["innocent", hasOthers ? "threads" : "return-0"])
    program.environment["TSAN_OPTIONS"] = "atexit_sleep_ms=3600000"
    let run = try await program.run(stop: { file in
      .when { hasOthers && FileManager.default.fileExists(atPath: file.path) }
    })
    #expect(run.child.outcome == (hasOthers ? .stopped : .exited(0)))
    #expect(run.report?.findings.count == 0)
  }

  /// Under `threadmill run`, only a finding changes a status.
  @Test(arguments: [("innocent", 0), ("guilty", 1)] as [(String, Int32)])
  func aProgramThatIsRunKeepsItsStatusWithoutAReport(
    _ conscience: String, _ status: Int32
  ) async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: [conscience, "full-files"], options: "brief=true"
    ).run()
    #expect(run.child.outcome == .exited(status))
    // A finding from before the limit is in the report.
    #expect((run.report == nil) == (conscience == "innocent"))
  }

  /// A write to a pipe without a reader would send SIGPIPE.
  @Test func aFindingThatNobodyReadsIsNoSignal() async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: ["guilty", "no-reader"]
    ).run()
    #expect(run.child.outcome == .exited(1))
    #expect(run.report?.accusations.map(\.kind) == ["lockOrderCycle"])
  }

  @Test(arguments: endings) func aFindingIsSaidOnceBeforeTheEnd(_ ending: Ending) async throws {
    let run = try await ending.program("guilty").run()
    #expect(run.child.outcome == ending.guilty)
    #expect(run.child.standardOutput == ending.output)
    let titles = run.child.standardError.split(separator: "\n")
      .filter { $0.hasPrefix("error: Lock order cycle") }
    #expect(titles.count == 1)
    for function in ["paint", "wash"] { #expect(run.child.standardError.contains(function)) }
    guard ending.exits else { return }
    let report = try #require(run.report)
    #expect(report.run.processes == 1)
    #expect(report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(report.accusations.map(\.count) == [1])
  }

  /// The gate's work for a finding makes system calls that are places to be cancelled; the lock
  /// that led to it is none.
  @Test func aRequestToBeCancelledWaits() async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: ["innocent", "cancelled"]
    ).run()
    #expect(run.child.outcome == .exited(1))
    #expect(run.child.standardOutput == "washed\n")
    #expect(try #require(run.report).accusations.map(\.kind) == ["lockOrderCycle"])
  }

  /// Another program takes the place of this one, findings and all.
  @Test(arguments: ["innocent", "guilty"]) func executingPasses(_ conscience: String) async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: [conscience, "exec"]
    ).run()
    #expect(run.child.outcome == .exited(7))
    #expect(run.child.standardOutput == "child done\n")
    #expect(run.report == nil)
  }

  /// It is the finding that changes the status.
  @Test func withoutDetectorsTheStatusIsTheProgramsOwn() async throws {
    let run = try await Watched(
      program: "harness-endings", arguments: ["guilty", "return-0"], options: "detect=false"
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
  }
}
