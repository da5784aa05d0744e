import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// `threadmill run` on C programs that know nothing of Threadmill.
@Suite(
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"),
  .enabled(if: Tool.compiler.isThere, "there is no C compiler"))
struct RunProgramTests {
  /// A program, and its expected result under `--hang 1`.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int32 = 0
    /// The kinds of the accusations, sorted.
    var kinds: [String] = []
    /// The functions of the first accusation's threads, sorted.
    var functions: Set<String> = []

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "abba", status: 1, kinds: ["lockOrderCycle"], functions: ["paint", "wash"]),
    Case(
      name: "deadlock", status: 1, kinds: ["deadlock", "hang"],
      functions: ["first", "second"]),
    Case(name: "relock", status: 1, kinds: ["hang", "selfDeadlock"], functions: ["book"]),
    Case(name: "lost_wakeup", status: 1, kinds: ["hang"], functions: ["consumer", "main"]),
    Case(
      name: "upgrade", status: 1, kinds: ["deadlock", "hang", "selfDeadlock"],
      functions: ["look_and_change"]),
    Case(name: "ordered"), Case(name: "backoff"), Case(name: "handover"),
  ]

  @Test(arguments: cases)
  func aProgramInCBehavesAsDocumented(_ expected: Case) async throws {
    let run = try await PlainProgram(name: expected.name).run(["--hang", "1"])
    #expect(run.child.outcome == .exited(expected.status), "\(run.child.standardError)")
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind).sorted() == expected.kinds)
    let first = report.accusations.first?.participants ?? []
    let functions = Set(first.compactMap(\.frames.firstUserFrame).compactMap(\.function))
    #expect(functions == expected.functions)
    #expect(report.run.processes == 1)
    if expected.kinds.isEmpty {
      let lines = run.child.standardError.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first?.hasPrefix("written: /") == true)
      #expect(lines.dropFirst() == ["", "Threadmill: no findings", ""])
    }
  }

  /// The holder keeps the mutex far longer than the limit; the cases differ in which rank is lower.
  @Test(
    arguments: [
      ("nice", "nice 0 work waits for mutex L1, which is held by nice 10 work"),
      ("real-time", "real-time priority 1 work waits for mutex L1, which is held by nice 0 work"),
      (
        "real-time-both",
        "real-time priority 2 work waits for mutex L1, which is held by real-time priority 1 work"
      ),
      ("equal", nil), ("lower", nil), ("inherits", nil),
    ] as [(String, String?)])
  func ranksOfThreadsAreHeeded(_ scene: String, _ words: String?) async throws {
    let run = try await PlainProgram(name: "ranks", arguments: [scene]).run()
    // This user may not have the right to real-time priorities.
    if run.child.outcome == .exited(77), scene.hasPrefix("real-time") { return }
    #expect(run.child.outcome == .exited(words == nil ? 0 : 1), "\(run.child.standardError)")
    let found = try #require(run.report).accusations
    #expect(found.map(\.title) == (words.map { ["Priority inversion: \($0)"] } ?? []))
    #expect(found.map(\.severity) == (words == nil ? [] : ["warning"]))
    let first = found.first?.participants.first?.frames.firstUserFrame?.function
    #expect(first == (words == nil ? nil : "urgent"))
  }

  /// The program dies as without Threadmill, and its earlier findings are not lost.
  @Test func aCrashIsAFinding() async throws {
    let run = try await PlainProgram(name: "crash").run()
    #expect(run.child.outcome == .exited(128 + SIGSEGV))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind).sorted() == ["crash", "lockOrderCycle"])
    let crash = try #require(report.accusations.first { $0.kind == "crash" })
    #expect(crash.participants.first?.frames.firstUserFrame?.function == "stumble")
  }

  /// The thread that has used up its stack cannot run a handler there.
  @Test(arguments: ["main", "thread"]) func aStackOverflowIsAFinding(_ thread: String) async throws
  {
    let run = try await PlainProgram(name: "overflow", arguments: [thread]).run()
    #expect(run.child.outcome == .exited(128 + SIGSEGV))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == ["crash"])
    let crash = try #require(report.accusations.first)
    #expect(crash.title == "Crash: an invalid memory access (SIGSEGV)")
    #expect(crash.participants.map { $0.frames.firstUserFrame?.function } == ["descend"])
  }

  @Test func aStackOverflowMayBeHandled() async throws {
    let run = try await PlainProgram(name: "overflow", arguments: ["back"]).run()
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(try #require(run.report).findings.isEmpty)
  }

  /// All processes are watched, and share one report; the status is that of the first.
  @Test func aFamilyIsWatched() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let child = try await PlainProgram(name: "abba").compiled(in: directory)
    let run = try await PlainProgram(name: "family", arguments: [child.path]).run()
    #expect(run.child.outcome == .exited(7), "\(run.child.standardError)")
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(report.run.processes == 2)
  }

  @Test func streamsStatusAndFolderPassThrough() async throws {
    let script = "cat; echo out; echo err >&2; pwd; echo $0 $1; exit 41"
    let child = try await PlainProgram.threadmill(["--", "sh", "-c", script, "name", "one two"])
    #expect(child.outcome == .exited(41))
    let folder = FileManager.default.currentDirectoryPath
    #expect(child.standardOutput == "out\n\(folder)\nname one two\n")
    #expect(child.standardError.hasPrefix("err\n"))
  }

  /// Findings from before the signal are in the report.
  /// Foundation would cost it more than all else that it loads.
  @Test func aProgramWithoutFoundationGetsNone() async throws {
    let child = try await PlainProgram.threadmill(["--", "cat", "/proc/self/maps"])
    #expect(child.outcome == .exited(0))
    #expect(child.standardOutput.contains("/libThreadmillPreload.so\n"))
    #expect(!child.standardOutput.contains("/libFoundation"))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalIsPassedOn(_ signal: Int32) async throws {
    let run = try await PlainProgram(name: "deadlock").ended(by: signal)
    #expect(run.child.outcome == .exited(128 + signal))
    let report = try #require(run.report)
    #expect(report.accusations.map(\.kind).sorted() == ["deadlock"])
  }

  @Test func quittingShowsWhatAllThreadsDo() async throws {
    let run = try await PlainProgram(name: "deadlock").ended(by: SIGQUIT)
    #expect(run.child.outcome == .exited(128 + SIGQUIT))
    let kinds = try #require(run.report).accusations.map(\.kind).sorted()
    #expect(kinds == ["deadlock", "hang"])
  }

  /// Kills the tool at random moments. `scripts/campaigns/kills` also kills the program.
  @Test func killedAtAnyMomentItLeavesAWholeReportOrNone() async throws {
    var state: [UInt16] = [2_026, 0, 0]
    var kept = 0
    for _ in 0..<10 {
      let moment = erand48(&state)
      let run = try await PlainProgram(name: "abba").run { _ in .after(moment) }
      if let report = run.report {
        kept += 1
        #expect(report.accusations.map(\.kind) == ["lockOrderCycle"])
      }
    }
    print("10 rounds, seed 2026, \(kept) reports")
  }

  @Test func switchesReachTheProgram() async throws {
    let run = try await PlainProgram(name: "abba").run(
      ["--jitter", "light", "--seed", "5", "--without", "lockOrderCycle"])
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).accusations.isEmpty)
    let confirmed = try await PlainProgram(name: "abba").run(["--confirm", "--seed", "5"])
    #expect(try #require(confirmed.report).accusations.map(\.status) != [])
  }

  @Test func aWarningIsAFindingAsWell() async throws {
    let program = try Program.named("harness-priorities").path
    let child = try await PlainProgram.threadmill(["--", program, "lock"])
    #expect(child.outcome == .exited(1))
    #expect(child.standardError.contains("\nThreadmill: 1 finding (1 warning)\n"))
    let alone = try await PlainProgram.threadmill(["--", program, "equal"])
    #expect(alone.outcome == .exited(0))
  }

  @Test func whatIsLinkedIsWatchedOnce() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.file("report.json")
    let program = try Program.named("harness-endings").path
    let child = try await PlainProgram.threadmill(
      ["--json", file.path, "--", program, "guilty", "return-0"])
    #expect(child.outcome == .exited(1))
    let report = try #require(try ReportFile(at: file))
    #expect(report.run.processes == 1 && report.accusations.map(\.count) == [1])
  }
}

extension PlainProgram {
  /// Sends `threadmill run` a signal once the program has said that it is stuck.
  fileprivate func ended(by signal: Int32) async throws -> Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await compiled(in: directory)
    let (file, said) = (directory.file("report.json"), directory.file("said"))
    let tool = try Program.named("threadmill").path
    let child = ChildProcess(
      executable: "/bin/sh",
      arguments: [
        "-c", "exec \"$0\" run --json \"$1\" -- \"$2\" 2> \"$3\"", tool, file.path, program.path,
        said.path,
      ], environment: Program.environment(options: nil), limit: Program.limit)
    let result = try await Slots.children.occupy {
      try await child.run(
        stop: .asked(by: signal) { _ in
          (try? String(contentsOf: said, encoding: .utf8))?.contains("Deadlock: ") ?? false
        })
    }
    return Run(child: result, report: try ReportFile(at: file))
  }
}

/// A program that cannot be watched gives one line, and status 2.
@Suite(.enabled(if: Tool.compiler.isThere, "there is no C compiler"))
struct UnwatchableProgramTests {
  private func line(_ words: String...) async throws -> String {
    let result = try await PlainProgram.threadmill(["--"] + words)
    #expect(result.outcome == .exited(2))
    #expect(result.standardOutput == "")
    #expect(result.standardError.split(separator: "\n").count == 1, "\(result.standardError)")
    return result.standardError
  }

  @Test func aStaticProgram() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await PlainProgram(name: "ordered").compiled(in: directory, "-static")
    #expect(try await line(program.path).contains("/ordered is fully static and cannot be watched"))
  }

  @Test func aProgramWithOtherRights() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await PlainProgram(name: "ordered").compiled(in: directory)
    for (mode, words) in [(0o4755, "is set-uid"), (0o2755, "is set-gid")] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: program.path)
      #expect(try await line(program.path).contains(" \(words), so the loader takes no library"))
    }
  }

  @Test func aSanitizedProgram() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let plain = PlainProgram(name: "ordered")
    // GCC's is a library unless the second flag is given, which Clang does not know.
    var made: [URL] = []
    for flags in [["-fsanitize=thread"], ["-fsanitize=thread", "-static-libtsan"]] {
      guard let program = try? await plain.compiled(in: directory, flags[0], flags.last ?? "")
      else {
        continue
      }
      made.append(program)
      #expect(try await line(program.path).contains("has Thread Sanitizer and no Threadmill"))
    }
    if made.isEmpty { try Test.cancel("the C compiler has no Thread Sanitizer") }
  }

  @Test func noProgram() async throws {
    #expect(
      try await line("no-such-program")
        == "threadmill run: no program on PATH is called no-such-program\n")
    #expect(try await line("./no/such") == "threadmill run: ./no/such is not there\n")
    #expect(try await line("/tmp").contains("/tmp is a folder"))
    #expect(try await line("/etc/passwd").contains("/etc/passwd may not be executed"))
  }

  @Test func scriptsAreJudgedByTheirInterpreter() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await PlainProgram(name: "ordered").compiled(in: directory, "-static")
    func script(_ text: String) throws -> String {
      let file = directory.file("script")
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      return file.path
    }
    #expect(try await line(try script("#!\(program.path)\n")).contains("is a script: "))
    #expect(try await line(try script("#!/no/such\n")).contains("/no/such is not there"))
    #expect(try await line(try script("echo\n")).contains("is neither a program"))
    let itself = directory.file("script").path
    #expect(try await line(try script("#!\(itself)\n")).contains("each other"))
  }

  @Test func anotherMachinesProgram() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await PlainProgram(name: "ordered").compiled(in: directory)
    var bytes = try Data(contentsOf: program)
    // The ELF field for the kind of machine; 8 is MIPS.
    bytes[18] = 8
    let file = directory.file("foreign")
    try bytes.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    #expect(try await line(file.path).contains("is made for another kind of machine"))
  }
}
