import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A program with an allocator of its own, whose locks are watched like all others.
///
/// What goes up into Swift there allocates: with the allocator's lock held, or while another thread
/// has it and waits for Threadmill. Neither may call the program's allocator.
@Suite(
  .enabled(if: Tool.compiler.isThere, "there is no C compiler"),
  .disabled(if: isThreadSanitized, "a sanitized library cannot be preloaded"))
struct AllocatorTests {
  @Test func theProgramAllocatesAsBefore() async throws {
    let program = PlainProgram(name: "own_allocator")
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try await program.compiled(in: directory)
    let alone = try await ChildProcess(
      executable: file.path, environment: Program.environment(options: nil), limit: Program.limit
    ).run()
    #expect(alone.outcome == .exited(7))
    #expect(alone.standardOutput == "done\n")

    let run = try await program.run()
    #expect(run.child.outcome == .exited(7), "\(run.child.standardError)")
    #expect(run.child.standardOutput == "done\n")
    let report = try #require(run.report)
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
