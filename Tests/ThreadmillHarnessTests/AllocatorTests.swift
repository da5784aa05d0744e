import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A program with an allocator of its own, whose locks are watched like all others.
///
/// Threadmill's detectors allocate. In such a program they run with the allocator's lock held, or
/// while another thread holds it and waits for Threadmill. So they must not call the program's
/// allocator.
@Suite(
  .enabled(if: Tool.clang.isThere, "there is no clang"),
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
struct AllocatorTests {
  /// The sources of a program. Each of its blocks has to come back to the functions that gave it.
  enum Sources: String, CaseIterable {
    case functions, functionsAndOperators

    var names: [String] {
      self == .functions ? ["own_allocator.c"] : ["own_allocator.c", "own_operators.cpp"]
    }
  }

  @Test(arguments: Sources.allCases)
  func theProgramAllocatesAsBefore(_ sources: Sources) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (program, file) = (directory.file("program"), directory.file("report.json"))
    var objects: [String] = []
    for name in sources.names {
      objects.append(directory.file("\(name).o").path)
      let source = PlainProgram.sources.appending(path: name).path
      try await Tool.clang.run("-g", "-c", source, "-o", objects.last ?? "")
    }
    try await Tool.clang.run(objects + ["-pthread", "-lstdc++", "-o", program.path])

    let alone = try await ChildProcess(
      executable: program.path, environment: Program.environment(options: nil),
      limit: Program.limit
    ).run()
    #expect(alone.outcome == .exited(7))
    #expect(alone.standardOutput == "done\n")

    let watched = try await PlainProgram.threadmill(["--json", file.path, "--", program.path])
    #expect(watched.outcome == .exited(7), "\(watched.standardError)")
    #expect(watched.standardOutput == "done\n")
    let report = try #require(try ReportFile(at: file))
    try #require(report.accusations.map(\.kind) == ["lockOrderCycle"])
    let frames = report.accusations[0].participants.compactMap(\.frames.firstUserFrame)
    #expect(Set(frames.compactMap(\.function)) == ["paint", "wash"])
    for frame in frames {
      #expect(frame.line == (try Self.line(of: "\(frame.function ?? "") waits here")))
    }
  }

  private static func line(of text: String) throws -> Int? {
    let source = PlainProgram.sources.appending(path: "own_allocator.c")
    let lines = try String(contentsOf: source, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { $0.contains(text) }.map { $0 + 1 }
  }
}
