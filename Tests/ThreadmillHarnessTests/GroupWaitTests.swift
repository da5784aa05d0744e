import Testing
import ThreadmillTestSupport

/// A group that is waited for where its work cannot begin is told at once; every other wait for a
/// group is left alone.
@Suite struct GroupWaitTests {
  struct Stuck: Sendable, CustomTestStringConvertible {
    var name: String
    var title: String
    var role: String
    var fact: String

    var testDescription: String { name }
  }

  /// What is told of one, with the functions where it waits and where the block comes from.
  struct Told: Hashable {
    var kind = "deadlock"
    var title: String
    var role: String
    var facts: [String]
    var wants: String? = "group"
    var functions = ["waitFor(_:)", "submit(to:in:)"]
  }

  @Test(arguments: stuck) func theMissingBlockIsNamed(_ sample: Stuck) async throws {
    let program = Watched(program: "harness-objects", arguments: [sample.name])
    let run = try await program.runUntilItSays("fingerprint")
    #expect(run.child.outcome == .stopped)
    let accusations = try #require(run.report).accusations
    #expect(
      accusations.map(\.told) == [
        Told(title: sample.title, role: sample.role, facts: [sample.fact])
      ])
    #expect(run.child.standardError.contains(accusations[0].title))
  }

  @Test(arguments: right) func whatComesBackIsNotAccused(_ name: String) async throws {
    let run = try await Watched(program: "harness-objects", arguments: [name]).run()
    #expect(run.child.outcome == .exited(0))
    #expect(run.child.standardError == "")
    #expect(try #require(run.report).accusations.map(\.title) == [])
  }

  static let stuck = [
    inQueue("waits-in-async"), inQueue("waits-in-sync"), inQueue("waits-in-work-item"),
    inQueue("waits-for-block-of-another-thread"), inQueue("waits-beside-an-enter"),
    Stuck(
      name: "waits-on-main-thread",
      title: """
        Deadlock: group L is waited for on the main thread, which has to run a block of the group \
        first
        """,
      role: "is the main thread and waits for group L",
      fact: "T submitted a block of group L to serial queue \"main\"; it cannot begin"),
    inTarget("waits-in-target", "serial queue \"room\""),
    inTarget("waits-in-concurrent-queue-of-serial-target", "concurrent queue \"hall\""),
  ]

  static let right = [
    "waits-with-a-limit", "waits-in-concurrent-queue", "waits-for-an-enter",
    "waits-for-another-queue", "waits-for-a-queue-in-use", "waits-for-a-block-that-runs",
    "waits-for-a-block-that-is-over", "waits-outside", "waits-for-a-queue-beside-its-own",
    "waits-for-a-queue-that-moves-away", "waits-for-the-main-queue-elsewhere",
  ]

  private static func inQueue(_ name: String) -> Stuck {
    Stuck(
      name: name,
      title: """
        Deadlock: group L is waited for inside serial queue "desk", which has to run a block of the \
        group first
        """,
      role: "is inside serial queue \"desk\" and waits for group L",
      fact: "T submitted a block of group L to serial queue \"desk\"; it cannot begin")
  }

  private static func inTarget(_ name: String, _ queue: String) -> Stuck {
    Stuck(
      name: name,
      title: """
        Deadlock: group L is waited for inside serial queue "house", which has to run a block of \
        the group first: \(queue) → serial queue "house"
        """,
      role: "is inside serial queue \"house\" and waits for group L",
      fact: "T submitted a block of group L to \(queue); it cannot begin")
  }
}

extension ReportFile.Finding {
  /// Without the numbers of threads and objects.
  fileprivate var told: GroupWaitTests.Told {
    let waiter = participants[0]
    let facts = facts ?? []
    let stacks = participants.map(\.frames) + facts.map { $0.frames ?? [] }
    return GroupWaitTests.Told(
      kind: kind, title: numberless(title), role: numberless(waiter.role),
      facts: facts.map { numberless($0.text) },
      wants: objects.first { $0.id == waiter.wants }?.kind,
      functions: stacks.map { $0.firstUserFrame?.function ?? "" })
  }

  private func numberless(_ text: String) -> String {
    text.replacing(#/\b([LT])[0-9]+\b/#) { String($0.output.1) }
  }
}
