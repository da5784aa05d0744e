import Testing
import ThreadmillTestSupport

/// What goes through the loaded images holds the dynamic linker's lock, and must not wait there.
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
        "start: visited", "places: visited", "stack: visited", "misbehaviour: visited, strlen",
        "end: visited",
      ])
  }
}
