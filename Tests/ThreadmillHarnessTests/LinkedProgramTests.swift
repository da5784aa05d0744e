import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Programs with Thread Sanitizer, linked with what `threadmill link` prints: each memory access is
/// a step of an exploration.
@Suite(.disabled(if: isThreadSanitized, "the library that they are linked with has no sanitizer"))
struct LinkedProgramTests {
  enum Language: String, CaseIterable {
    case c, cpp, swift

    var source: String { self == .c ? "lent.c" : "counted.\(rawValue)" }
  }

  private static func switches(_ own: String...) async throws -> [String] {
    let result = try await tool(["link"] + own)
    #expect(result.outcome == .exited(0), "\(result.standardError)")
    return result.standardOutput.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func tool(_ words: [String]) async throws -> ChildProcess.Result {
    let child = ChildProcess(
      executable: try Program.named("threadmill").path, arguments: words,
      environment: Program.environment(options: nil), limit: Program.limit)
    return try await Slots.children.occupy { try await child.run() }
  }

  /// Compiles a program as its page says it.
  private static func build(
    _ language: Language, of source: String, in directory: TemporaryDirectory,
    linking switches: [String]
  ) async throws -> String {
    let source = PlainProgram.sources.appending(path: source).path
    let (object, program) = (directory.file("program.o").path, directory.file("program").path)
    switch language {
    case .c, .cpp:
      guard Tool.clang.isThere else { try Test.cancel("there is no clang") }
      try await Tool.clang.run(["-g", "-fsanitize=thread", "-c", source, "-o", object])
      let library = language == .cpp ? ["-lstdc++"] : []
      try await Tool.swiftCompiler.run(
        ["-sanitize=thread", object, "-o", program] + library + switches)
    case .swift:
      try await Tool.swiftCompiler.run(
        ["-g", "-sanitize=thread", source, "-o", program] + switches)
    }
    return program
  }

  /// Compiles a program and has it explored.
  private func explore(
    _ language: Language, of source: String? = nil, switches: [String] = [],
    isRepaired: Bool = false, reportsRaces: Bool = false
  ) async throws -> PlainProgram.Run {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let program = try await Self.build(
      language, of: source ?? language.source, in: directory, linking: Self.switches())
    let words = (language == .c ? ["counted"] : []) + (isRepaired ? ["repaired"] : [])
    let file = directory.file("report.json")
    let child = try await ExploreCommand.run(
      switches + ["--json", file.path, "--", program] + words, in: directory,
      environment: ["TSAN_OPTIONS": "report_bugs=\(reportsRaces ? 1 : 0)"])
    return PlainProgram.Run(child: child, report: try ReportFile(at: file))
  }

  private static let functions: [Language: String] = [
    .c: "add", .cpp: "(anonymous namespace)::Visitors::add()", .swift: "closure #1 in main",
  ]

  @Test(arguments: Language.allCases)
  func aRaceIsFoundAndRepeated(_ language: Language) async throws {
    let run = try await explore(language, reportsRaces: true)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let finding = try #require(run.report?.accusations.first, "\(run.child.standardError)")
    #expect(run.report?.kinds == ["dataRace"])
    let function = try #require(Self.functions[language])
    #expect(
      finding.participants.map { $0.frames.firstUserFrame?.function } == [function, function])
    let story = try #require(finding.story)
    #expect(
      story.steps.contains { step in
        step.column > 0 && ["read", "write"].contains(step.operation)
          && step.places?.first?.function == function
      })

    let schedule = try #require(finding.schedule)
    let again = try await explore(
      language, switches: ["--schedule", schedule], reportsRaces: true)
    #expect(again.report?.accusations.map(\.fingerprint) == [finding.fingerprint])
  }

  /// Without the sanitizer's reports, only the program itself says that an order is wrong.
  @Test(arguments: [
    Language.cpp: "Assertion `visitors.count == 2' failed.",
    .swift: "Precondition failed: 1 visitors",
  ])
  func anUpdateIsLostBetweenTwoAccesses(_ language: Language, _ words: String) async throws {
    let run = try await explore(language)
    #expect(run.child.outcome == .exited(1), "\(run.child.standardError)")
    let finding = try #require(run.report?.accusations.first, "\(run.child.standardError)")
    #expect(run.report?.kinds == ["crash"])
    #expect(run.child.standardError.contains(words))
    // The accesses that the two threads take turns with, at the line of the mistake.
    let function = try #require(Self.functions[language])
    let accesses = finding.story?.steps.filter { step in
      step.column > 0 && ["read", "write"].contains(step.operation)
        && step.places?.first?.function == function
    }
    #expect((accesses ?? []).count >= 4)
  }

  @Test(arguments: [Language.c, .cpp])
  func theRepairedProgramIsFine(_ language: Language) async throws {
    let run = try await explore(
      language, switches: ["--schedules", "50"], isRepaired: true, reportsRaces: true)
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(run.report?.explorations?.first?.schedules == 50)
  }

  /// The sanitizer has a `pthread_once` of its own, which `pthread_exit` calls as well.
  @Test func initialisersThatRunOnceAreNoHang() async throws {
    let run = try await explore(.c, of: "began_once.c", switches: ["--schedules", "50"])
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(run.report?.explorations?.first?.schedules == 50)
  }

  /// One command says whether it was linked, and whether the accesses are steps.
  @Test func theDoctorSaysWhetherItWorked() async throws {
    let switches = try await Self.switches()
    let ofAccesses = try await Self.switches("--accesses")
    let withoutAccesses = Array(switches.dropLast(ofAccesses.count))
    #expect(withoutAccesses + ofAccesses == switches)
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var said: [[String]] = []
    for linked in [switches, withoutAccesses, []] {
      let program = try await Self.build(
        .swift, of: Language.swift.source, in: directory, linking: linked)
      let result = try await Self.tool(["doctor", "--quick", "--executable", program])
      let lines = result.standardOutput.split(separator: "\n").map(String.init)
      said.append(
        lines.filter { $0.contains(" executable ") && !$0.contains("executable symbols") }
          .map { $0.replacing(program, with: "it").replacing(#/ +/#, with: " ") })
    }
    #expect(
      said == [
        [
          "ok executable it is watched, with Thread Sanitizer",
          "ok executable accesses are steps of an exploration",
        ],
        [
          "ok executable it is watched, with Thread Sanitizer",
          "warning executable accesses are no steps of an exploration, which stops at calls only",
        ],
        [
          "wrong executable it has Thread Sanitizer and no Threadmill: it is not watched, and"
            + " cannot be by preload"
        ],
      ])
  }
}
