import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// What becomes of Thread Sanitizer's reports in a program without tests.
@Suite(
  .enabled(if: isThreadSanitized, "only such a build reports races"),
  .enabled(if: hasSeveralProcessors, "two threads have to run at once"))
struct RaceTests {
  /// How Thread Sanitizer's own text begins.
  private static let sanitizers = "WARNING: ThreadSanitizer: "
  private static let ours = "error: Data race"

  private func run(
    _ what: String, leaving: String? = nil, options: String = "", sanitizer: String = "",
    environment: [String: String] = [:], stop: ChildProcess.Stop = .never
  ) async throws -> Watched.Run {
    let own = ["TSAN_OPTIONS": "atexit_sleep_ms=0 \(sanitizer)"].merging(environment) { $1 }
    return try await Watched(
      program: "harness-races", arguments: [what] + [leaving].compactMap(\.self), options: options,
      environment: own
    ).run { _ in stop }
  }

  private func races(_ run: Watched.Run) -> [ReportFile.Finding] {
    (run.report?.findings ?? []).filter { $0.kind == "dataRace" }
  }

  private func occurrences(of text: String, in run: Watched.Run) -> Int {
    run.child.standardError.ranges(of: text).count
  }

  // MARK: Ours

  @Test func aRaceIsSaidOnceAndFailsTheProgram() async throws {
    let run = try await run("once")
    #expect(run.child.outcome == .exited(1))
    #expect(run.child.standardOutput == "end\n")
    #expect(occurrences(of: Self.ours, in: run) == 1, "\(run.child.standardError)")
    #expect(occurrences(of: Self.sanitizers, in: run) == 0)
    let race = try #require(races(run).first)
    #expect(races(run).count == 1)
    #expect(race.status == "observed")
    #expect(race.severity == "error")
    #expect(race.title.contains("counter"))
    #expect(race.participants.map { $0.frames.first?.function } == ["count", "count"])
    #expect(race.participants.allSatisfy { $0.frames.first?.file?.hasSuffix("main.c") == true })
    #expect(Set(race.participants.map(\.thread)).count == 2)
    let created = try #require(race.facts).filter { $0.text.contains("was created by") }
    #expect(created.count == 2)
    #expect(created.allSatisfy { $0.frames?.contains { $0.function == "together" } == true })
  }

  /// One function, two variables.
  @Test func eachVariableIsARaceOfItsOwn() async throws {
    let found = try races(await run("two"))
    #expect(
      Set(found.map { $0.title.prefix { $0 != ":" } })
        == ["Data race on counter", "Data race on other_counter"])
    #expect(found.count == 2)
    #expect(Set(found.map(\.fingerprint)).count == 2)
  }

  /// `_exit` runs no exit handlers, and `quick_exit` others. The status is the sanitizer's: with
  /// `quick_exit`, it has none.
  @Test(arguments: [(nil, 1), ("_exit", 66), ("quick_exit", 0)])
  func aRaceIsSaidHoweverTheProgramLeaves(_ way: String?, _ status: Int32) async throws {
    let run = try await run("once", leaving: way)
    #expect(run.child.outcome == .exited(status))
    #expect(run.child.standardOutput == "end\n")
    #expect(occurrences(of: Self.ours, in: run) == 1, "\(run.child.standardError)")
    #expect(races(run).map(\.count) == [1])
  }

  /// What is said is in the report, however the program ends.
  @Test(arguments: [SIGTERM, SIGKILL]) func aSignalLeavesTheReport(_ signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (file, said) = (directory.file("report.json"), directory.file("said"))
    var environment = Program.environment(options: "report=\(file.path)", reportsRaces: true)
    environment["TSAN_OPTIONS"] = "atexit_sleep_ms=0"
    let child = ChildProcess(
      executable: "/bin/sh",
      arguments: [
        "-c", "exec \"$0\" waits 2> \"$1\"", try Program.named("harness-races").path, said.path,
      ], environment: environment, limit: Program.limit)
    let result = try await Slots.children.occupy {
      try await child.run(
        stop: .asked(by: signal) { _ in
          (try? String(contentsOf: said, encoding: .utf8))?.contains(Self.ours) ?? false
        })
    }
    #expect(result.outcome == .signalled(signal))
    let report = try #require(try ReportFile(at: file))
    #expect(report.accusations.map(\.kind) == ["dataRace"])
    let functions = report.accusations.flatMap(\.participants).map { $0.frames.first?.function }
    #expect(functions == ["count", "count"])
  }

  /// A million increments on each side: one finding, and no report for each pair of them.
  @Test func aHotRaceIsOneFinding() async throws {
    let run = try await run("often")
    #expect(run.child.outcome == .exited(1))
    #expect(occurrences(of: Self.ours, in: run) == 1)
    #expect(races(run).count == 1)
    #expect((1...8).contains(races(run)[0].count))
  }

  @Test(arguments: [
    ("block", "is at offset 8 of a block of 40 bytes, allocated by", "main"),
    ("sleep", "slept between the two", "sleep_then_count"),
    ("locks", "holds mutex", "count_under"),
  ])
  func circumstancesAreTold(what: String, words: String, function: String) async throws {
    let race = try #require(races(try await run(what)).first)
    let fact = try #require(race.facts?.first { $0.text.contains(words) }, "\(race.facts ?? [])")
    #expect(fact.frames?.contains { $0.function?.contains(function) == true } == true)
  }

  @Test func theOtherSidesLockIsTold() async throws {
    let race = try #require(races(try await run("locks")).first)
    #expect(race.objects.map(\.kind) == ["mutex"])
    #expect(race.facts?.contains { $0.text.contains(" held a lock at 0x") } == true)
  }

  /// By default Swift's Thread Sanitizer looks away from `free`.
  @Test func aUseAfterFreeIsCalledOne() async throws {
    let run = try await run("freed", sanitizer: "ignore_interceptors_accesses=0")
    let beginning = "Use after free in a data race"
    let race = try #require(races(run).first { $0.title.hasPrefix(beginning) })
    #expect(race.participants.last?.frames.contains { $0.function == "release_block" } == true)
  }

  /// The gate has let go of neither thread when the destructors of its values run.
  @Test func aRaceOfThreadsThatEndIsTold() async throws {
    let run = try await run("ending")
    #expect(run.child.outcome == .exited(1))
    #expect(races(run).count == 1)
  }

  // MARK: Thread Sanitizer's

  /// What somebody chose for text, status or end of the process stays; the finding is there, too.
  @Test(
    arguments: [("exitcode=3", 3), ("exitcode=66", 66), ("log_path=stderr", 66)]
      as [(String, Int32)])
  func theSanitizersOptionsWin(options: String, status: Int32) async throws {
    let run = try await run("once", sanitizer: options)
    #expect(run.child.outcome == .exited(status))
    #expect(occurrences(of: Self.sanitizers, in: run) == 1)
    #expect(occurrences(of: Self.ours, in: run) == 1)
    #expect(races(run).count == 1)
  }

  @Test func theProcessEndsAtTheFirstRaceIfSomebodyWantsThat() async throws {
    let run = try await run("once", sanitizer: "halt_on_error=1")
    #expect(run.child.outcome == .exited(66))
    #expect(run.child.standardOutput == "")
    #expect(occurrences(of: Self.sanitizers, in: run) == 1)
  }

  /// The abort is the sanitizer's, whose locks are held: to tell it as a crash would take the five
  /// seconds after which the process ends anyway.
  @Test func anAbortOfTheSanitizersIsNoCrashOfTheProgram() async throws {
    let clock = ContinuousClock()
    let usual = try await clock.measure { _ = try await run("once", sanitizer: "halt_on_error=1") }
    let aborted = try await run(
      "once", sanitizer: "halt_on_error=1 abort_on_error=1",
      stop: .after(max(3, 10 * (usual / .seconds(1)))))
    #expect(aborted.child.outcome == .signalled(SIGABRT))
    #expect(occurrences(of: Self.sanitizers, in: aborted) == 1)
    #expect(aborted.report?.kinds.contains("crash") != true)
  }

  @Test(arguments: ["detect=false", "without=dataRace"])
  func withoutUsTheSanitizerIsLeftAlone(options: String) async throws {
    let run = try await run("once", options: options)
    #expect(run.child.outcome == .exited(66))
    #expect(occurrences(of: Self.sanitizers, in: run) == 1)
    #expect(occurrences(of: Self.ours, in: run) == 0)
    #expect(races(run).isEmpty)
  }

  /// What its suppressions cover does not reach us.
  @Test func suppressionsWork() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("suppressions")
    try Data("race:^count$\n".utf8).write(to: file)
    let run = try await run("once", sanitizer: "suppressions=\(file.path)")
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(occurrences(of: "race", in: run) == 0)
    #expect(races(run).isEmpty)
  }

  /// Where the gate does not watch, reports are the sanitizer's, its exit status included.
  @Test func beforeTheGateIsActiveTheSanitizerReports() async throws {
    let run = try await run("", environment: ["RACES_EARLY": "1"])
    #expect(run.child.outcome == .exited(66))
    #expect(occurrences(of: Self.sanitizers, in: run) == 1)
    #expect(races(run).isEmpty)
  }

  @Test func afterTheGateIsActiveTheSanitizerReports() async throws {
    let run = try await run("late")
    #expect(occurrences(of: Self.sanitizers, in: run) == 1)
    #expect(races(run).isEmpty)
  }

  /// Without a report file: for one, a thread of the gate's waits for crashes, and the sanitizer
  /// lets no fork of a process with several threads make more.
  @Test func inAForkedChildTheSanitizerReports() async throws {
    let program = Watched(
      program: "harness-races", arguments: ["fork"],
      environment: ["TSAN_OPTIONS": "atexit_sleep_ms=0"])
    let run = Watched.Run(child: try await program.child(options: nil).run())
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardOutput.contains("child 66"))
    #expect(occurrences(of: Self.sanitizers, in: run) == 1)
    #expect(occurrences(of: Self.ours, in: run) == 0)
  }
}
