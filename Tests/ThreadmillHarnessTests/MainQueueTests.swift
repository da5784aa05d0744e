import Testing
import ThreadmillTestSupport

/// A block that has the main queue for too long is told by what it ran and where it came from.
@Suite struct MainQueueTests {
  /// The function that the finding names as what was run; `nil` where that is not known.
  static let functions: [(name: String, function: String?)] = [
    ("long-closure", "closure #1 in holdByClosure()"),
    ("long-item", "closure #1 in holdByItem()"),
    ("long-barrier", "closure #1 in holdByBarrier()"),
    ("long-function", "dawdle()"),
    ("long-task", nil),
  ]

  @Test(arguments: functions) func namesWhatRan(_ name: String, _ function: String?) async throws {
    let run = try await Watched(
      program: "harness-objects", arguments: [name],
      options: "mainlimit=20 without=poolStarvation"
    ).run()
    #expect(run.child.outcome == .exited(0), "a warning does not change the status")
    let findings = try #require(run.report).accusations
    #expect(findings.map(\.kind) == ["blockedMainQueue"])
    let participant = try #require(findings.first?.participants.first)
    #expect(participant.frames.count == (function == nil ? 0 : 1))
    let ran = participant.frames.first?.function
    #expect(ran?.hasSuffix(function ?? "") == (function == nil ? nil : true), "\(ran ?? "-")")
    #expect(participant.submitted != nil)
  }

  /// The limit is long, so that no busy machine makes the other block wait for as long as that.
  @Test func timeCountsWhileOthersWait() async throws {
    let run = try await Watched(
      program: "harness-objects", arguments: ["long-before-others"],
      options: "mainlimit=1000 without=poolStarvation"
    ).run()
    #expect(run.child.outcome == .exited(0))
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }
}
