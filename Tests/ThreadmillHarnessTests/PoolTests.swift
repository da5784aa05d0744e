import Testing
import ThreadmillTestSupport

/// Tasks that block, in a program that comes to its end.
@Suite struct PoolTests {
  /// Each call that blocks a task is worth a word, once; the pool is not starved as long as there
  /// is a thread that will set it free.
  @Test func blockingIsAWarningAndNoStarvation() async throws {
    let run = try await Watched(program: "harness-stuck", arguments: ["relieved-pool"], options: "")
      .run { _ in .never }
    #expect(run.child.outcome == .exited(0))
    let found = try #require(run.report).accusations
    #expect(Set(found.map(\.kind)) == ["poolStarvation"])
    #expect(Set(found.map(\.severity)) == ["warning"])
    let places = found.flatMap(\.participants).compactMap(\.frames.firstUserFrame?.function)
    #expect(places.sorted() == ["doze()", "standInLine(_:)"])
  }
}
