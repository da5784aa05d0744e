import Foundation
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

/// A thread that visits the loaded images holds the dynamic linker's lock, and must not wait there.
///
/// While Thread Sanitizer writes a report, it may stop a thread in any function that it has taken
/// over, and then wait for that lock itself: the program hung, three times in 5,000 runs.
@Suite struct LoaderLockTests {
  @Test(.disabled(if: isThreadSanitized, "the sanitizer has functions of its own"))
  func nothingIsCalledThatTheSanitizerTakesOver() async throws {
    let run = try await Watched(program: "harness-visits", arguments: []).run()
    #expect(run.child.outcome == .exited(1))
    #expect(run.report?.findings.map(\.kind) == ["lockOrderCycle"])
    #expect(
      run.child.standardOutput.split(separator: "\n") == [
        "start: visited", "images: visited", "place and stack: not visited",
        "misbehaviour: visited, strlen", "end: not visited",
      ])
  }

  /// While constructors run, the dynamic linker holds another lock. Where one of them waits for a
  /// lock of the program's, the holder of that lock goes on under watch.
  @Test(.enabled(if: Tool.clang.isThere, "there is no clang"))
  func aConstructorMayWaitForTheProgram() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let library = directory.file("library.so").path
    let source = PlainProgram.sources.appending(path: "library_that_locks.c").path
    try await Tool.clang.run("-shared", "-fPIC", source, "-o", library)
    let run = try await Watched(program: "harness-visits", arguments: [library]).run()
    #expect(run.child.outcome == .exited(0), "\(run.child.standardError)")
    #expect(run.child.standardOutput.split(separator: "\n").contains("loaded"))
    #expect(run.report?.accusations.map(\.kind) == [])
  }

  /// The gate finds names without that lock.
  @Test func locationsAreThoseOfTheDynamicLinker() async throws {
    let run = try await Watched(program: "harness-visits", arguments: ["locations"]).run()
    let lines = run.child.standardOutput.split(separator: "\n")
    #expect(lines.contains("over 1,000 asked, over 300 named, 0 different"))
  }
}
