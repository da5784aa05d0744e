import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Programs with Address Sanitizer: as a part of the program, as Clang makes it, and as a library.
@Suite(
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"),
  .enabled(if: canJump, "the gate writes no jumps on this machine"))
struct AddressSanitizedTests {
  /// A way to compile a program.
  enum Compiler: String, CaseIterable {
    case clang, gcc

    var tool: Tool { Tool(rawValue) }
  }

  private struct Explored {
    var child: ChildProcess.Result
    var report: ReportFile?
    var finding: ReportFile.Finding? { report?.accusations.first }
  }

  private static let names = ["dropped", "given", "early"]

  /// The options that have each access checked by a call, behind this word of the compiler's.
  private static func checks(_ word: String) -> [String] {
    [word, "-asan-instrumentation-with-call-threshold=0", word, "-asan-opt=0"]
  }

  private func explore(
    _ name: String, _ compiler: Compiler, _ flags: [String] = ["-g"], switches: [String] = [],
    isRepaired: Bool = false
  ) async throws -> Explored {
    guard compiler.tool.isThere else { try Test.cancel("there is no \(compiler)") }
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (program, file) = (directory.file("lent"), directory.file("report.json"))
    let source = PlainProgram.sources.appending(path: "lent.c").path
    try await compiler.tool.run(
      ["-pthread", "-fsanitize=address"] + flags + [source, "-o", program.path])
    let words = [program.path, name] + (isRepaired ? ["repaired"] : [])
    let child = try await ExploreCommand.run(
      switches + ["--json", file.path, "--"] + words, in: directory)
    return Explored(child: child, report: try ReportFile(at: file))
  }

  /// The finding has the error and its place; the sanitizer knows the threads.
  @Test(
    arguments: [(name: "dropped", function: "use"), (name: "given", function: "take")],
    Compiler.allCases)
  func aUseAfterFreeIsFoundAndRepeated(
    _ expected: (name: String, function: String), _ compiler: Compiler
  ) async throws {
    let run = try await explore(expected.name, compiler)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let finding = try #require(run.finding)
    #expect(finding.kind == "crash")
    #expect(
      finding.title
        == "In one order of its threads, blocks and tasks the program fails: AddressSanitizer:"
        + " heap-use-after-free")
    #expect(finding.facts?.compactMap { $0.frames?.first?.function } == [expected.function])
    let text = run.child.standardError
    #expect(text.contains(#/Thread T\d+ created by T0 here:/#))
    #expect(!text.contains("T-1"))

    let schedule = try #require(finding.schedule)
    let again = try await explore(expected.name, compiler, switches: ["--schedule", schedule])
    #expect(again.finding?.fingerprint == finding.fingerprint)
    let story = try #require(finding.story)
    #expect(again.finding?.story == story)
  }

  /// Under watch without an exploration. The sanitizer wants to be the first library.
  @Test(arguments: Compiler.allCases)
  func aWatchedProgramDoesTheSame(_ compiler: Compiler) async throws {
    guard compiler.tool.isThere else { try Test.cancel("there is no \(compiler)") }
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = directory.file("ordered").path
    let source = PlainProgram.sources.appending(path: "ordered.c").path
    try await compiler.tool.run("-g", "-pthread", "-fsanitize=address", source, "-o", program)
    let bare = try await ChildProcess(
      executable: program, arguments: [], environment: Program.environment(options: nil),
      limit: Program.limit
    ).run()
    let watched = try await PlainProgram.threadmill(["--", program])
    #expect(bare.outcome == .exited(0))
    #expect(watched.outcome == bare.outcome)
    #expect(watched.standardOutput == bare.standardOutput)
    #expect(watched.standardError.hasSuffix("Threadmill: no findings\n"))
  }

  /// Without debug information there is no line, and the error has no address in it.
  @Test(arguments: Compiler.allCases)
  func withoutLinesTheErrorIsNamed(_ compiler: Compiler) async throws {
    let finding = try #require(try await explore("given", compiler, []).finding)
    #expect(finding.title.hasSuffix("the program fails: AddressSanitizer: heap-use-after-free"))
    let frames = finding.facts?.flatMap { $0.frames ?? [] } ?? []
    #expect(frames.map(\.function) == ["take"] && frames.map(\.line) == [nil])
  }

  /// A thread that the sanitizer makes is a point, before and after.
  @Test(arguments: Compiler.allCases)
  func aNewThreadMayRunFirst(_ compiler: Compiler) async throws {
    let run = try await explore("early", compiler)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    #expect(run.finding?.kind == "crash")
    #expect(run.child.standardError.contains("Assertion `began' failed."))
  }

  @Test(arguments: names, Compiler.allCases)
  func theRepairedProgramIsFine(_ name: String, _ compiler: Compiler) async throws {
    let run = try await explore(
      name, compiler, switches: ["--schedules", "50"], isRepaired: true)
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    let explored = try #require(run.report?.explorations?.first)
    #expect(explored.complete || explored.schedules == 50)
    #expect(explored.schedules > 1)
  }

  /// Clang checks each load and store by a call if it is asked to.
  @Test func accessesArePoints() async throws {
    let without = try await explore("counted", .clang)
    #expect(without.child.outcome == .exited(0), "\(without.child.standardError)")
    #expect(without.report?.explorations?.first?.complete == true)
    let run = try await explore("counted", .clang, ["-g"] + Self.checks("-mllvm"))
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    #expect(run.child.standardError.contains("Assertion `count == 2' failed."))
    let steps = run.child.standardError
    #expect(steps.contains("read count") && steps.contains("write count"))
    let repaired = try await explore(
      "counted", .clang, ["-g"] + Self.checks("-mllvm"), switches: ["--schedules", "50"],
      isRepaired: true)
    #expect(repaired.child.outcome == .exited(0), "\(repaired.child.standardError)")
  }

  @Test func accessesOfSwiftArePoints() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = directory.file("counted")
    let source = PlainProgram.sources.appending(path: "counted.swift").path
    try await Tool.swiftCompiler.run(
      ["-g", "-sanitize=address"] + Self.checks("-Xllvm") + [source, "-o", program.path])
    let run = try await ExploreCommand.run(["--", program.path], in: directory)
    #expect(run.outcome == .exited(1), "\(run.standardError)")
    #expect(run.standardError.contains("Precondition failed: 1 visitors"))
    #expect(run.standardError.contains("read visitors"))
  }
}

#if arch(x86_64)
  private let canJump = true
#else
  private let canJump = false
#endif
