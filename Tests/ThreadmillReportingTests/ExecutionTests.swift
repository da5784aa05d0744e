import Testing
import ThreadmillModel

@testable import ThreadmillReporting

/// What a thread runs, in words and as JSON.
@Suite struct ExecutionTests {
  private static let queue = Execution.Queue(id: LockID(4), kind: .serialQueue, label: "disk")
  private static let unnamed = Execution.Queue(id: LockID(5), kind: .concurrentQueue)

  private static func part(_ runs: Execution?, holding: [LockID] = []) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(1), role: "", frames: [], holds: holding.map { .init(object: $0) },
      runs: runs)
  }

  static let told: [(Execution, String)] = [
    (
      Execution(queues: [queue, unnamed], root: .utility, group: LockID(3)),
      #""disk" → concurrent queue L5 → global queue (utility), in group L3"#
    ),
    (Execution(queues: [queue], root: .standard), #""disk" → global queue (default)"#),
    (Execution(queues: [queue]), #""disk""#),
    (Execution(root: .background), "global queue (background)"),
    (Execution(root: .standard, group: LockID(3)), "global queue (default), in group L3"),
    (Execution(group: LockID(3)), "a queue that is not known, in group L3"),
    (
      Execution(
        root: .utility, isPooled: true, job: .init(task: 7, priority: .utility), actor: LockID(9)),
      "the threads of Swift's tasks (utility), as task 7 of utility priority, on actor L9"
    ),
    (
      Execution(root: .standard, isPooled: true, job: .init()),
      "the threads of Swift's tasks (default), as a job of Swift's"
    ),
  ]

  @Test(arguments: told) func isTold(_ runs: Execution, _ words: String) {
    #expect(TextReport.words(on: Self.part(runs)) == words)
  }

  @Test func isNotToldWhereOtherLinesSayIt() {
    let held = Execution(queues: [Self.queue], root: .standard)
    #expect(TextReport.words(on: Self.part(held, holding: [LockID(4)])) == nil)
    #expect(TextReport.words(on: Self.part(Execution(root: .standard))) == nil)
    #expect(TextReport.words(on: Self.part(nil)) == nil)
  }

  @Test(arguments: told.map(\.0)) func survivesARoundTrip(_ runs: Execution) throws {
    let finding = Finding(
      kind: .deadlock, status: .observed, title: "", participants: [Self.part(runs)])
    let report = Report(findings: [finding], run: .init(id: "1"))
    let read = try JSONReport.report(from: JSONReport.bytes(of: report))
    #expect(read.findings.first?.participants.first?.runs == runs)
  }
}
