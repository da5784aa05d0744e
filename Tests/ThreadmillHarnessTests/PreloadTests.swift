import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// Executables that were built without Threadmill, watched by preloading.
@Suite(.disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
struct PreloadTests {
  private static let library = "libThreadmillPreload.so"
  private static let source = Checkout.root.appending(path: "Tests/Fixtures/Programs/Plain/abba.c")

  @Test(.enabled(if: Tool.compiler.isThere, "there is no C compiler"))
  func aPlainProgramIsWatched() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (program, file) = (directory.file("abba"), directory.file("report.json"))
    try await Tool.compiler.run("-g", "-pthread", Self.source.path, "-o", program.path)

    let alone = try await Self.child(program.path, preload: false).run()
    #expect(alone.outcome == .exited(0))

    let child = try Self.child(program.path, options: "report=\(file.path)")
    #expect(try await child.run().outcome == .exited(1))
    let report = try #require(try ReportFile(at: file))
    try #require(report.accusations.count == 1)
    let frames = report.accusations[0].participants.compactMap(\.frames.firstUserFrame)
    #expect(
      frames.map(\.function) == ["paint", "wash"] || frames.map(\.function) == ["wash", "paint"])
    for frame in frames {
      #expect(frame.file == Self.source.path)
      #expect(frame.line == (try Self.line(of: "\(frame.function ?? "") waits here")))
    }
  }

  /// Both copies of the gate see every call; one of them speaks.
  @Test func linkedAndPreloadedIsWatchedOnce() async throws {
    let preload = ["LD_PRELOAD": try Program.named(Self.library).path]
    let run = try await Watched(
      program: "harness-endings", arguments: ["guilty", "return-0"], environment: preload
    ).run()
    #expect(run.child.outcome == .exited(1))
    let report = try #require(run.report)
    #expect(report.run.processes == 1)
    #expect(report.accusations.map(\.kind) == ["lockOrderCycle"])
    #expect(report.accusations.map(\.count) == [1])
    let titles = run.child.standardError.split(separator: "\n").filter {
      $0.hasPrefix("error: ")
    }
    #expect(titles.count == 1)
  }

  @Test(arguments: [
    ["/bin/true"], ["/bin/false"], ["/bin/echo", "a", "b"],
    ["/bin/sh", "-c", "echo $0 | cat; exit 4"],
  ])
  func aProgramWithoutLocksDoesTheSame(_ command: [String]) async throws {
    try await compare(command)
  }

  @Test(.enabled(if: Tool.python.isThere, "there is no Python"))
  func pythonDoesTheSame() async throws {
    try await compare([
      Tool.python.path ?? "", "-c",
      "import threading; t = threading.Thread(target=print, args=(1,)); t.start(); t.join()",
    ])
  }

  /// Some libraries have to be the first of all.
  @Test func whatIsPreloadedAnywayComesFirst() async throws {
    var environment = Program.environment(options: nil)
    environment["LD_PRELOAD"] = "libm.so.6"
    let child = ChildProcess(
      executable: try Program.named("threadmill").path,
      arguments: ["run", "--", "/bin/sh", "-c", "echo \"$LD_PRELOAD\"; exit 7"],
      environment: environment, limit: Program.limit)
    let result = try await child.run()
    #expect(result.outcome == .exited(7))
    let libraries = result.standardOutput.split(whereSeparator: { ": \n".contains($0) })
    #expect(libraries.first == "libm.so.6")
    #expect(libraries.dropFirst().map { $0.hasSuffix(".so") } == [true])
  }

  private func compare(_ command: [String]) async throws {
    let arguments = Array(command.dropFirst())
    let alone = try await Self.child(command[0], arguments, preload: false).run()
    let watched = try await Self.child(command[0], arguments).run()
    #expect(watched.outcome == alone.outcome)
    #expect(watched.standardOutput == alone.standardOutput)
    #expect(watched.standardError == alone.standardError)
  }

  private static func child(
    _ executable: String, _ arguments: [String] = [], options: String? = nil, preload: Bool = true
  ) throws -> ChildProcess {
    var environment = Program.environment(options: options)
    if preload { environment["LD_PRELOAD"] = try Program.named(library).path }
    return ChildProcess(
      executable: executable, arguments: arguments, environment: environment,
      limit: Program.limit)
  }

  private static func line(of words: String) throws -> Int? {
    let lines = try String(contentsOf: source, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { $0.contains(words) }.map { $0 + 1 }
  }
}
