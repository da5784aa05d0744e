import Testing
import ThreadmillModel

@testable import ThreadmillDetection

/// The findings of the detectors of groups, semaphores, queues and sources.
@Suite struct ObjectMisuseTests {
  private let thread = ThreadSnapshot(
    thread: ThreadID(4), name: "worker", held: [], stack: [Frame(address: 40)], tests: ["b", "a"])

  private func step(_ place: UInt64, by thread: UInt32? = nil) -> Happening.PastStep {
    .init(at: [Frame(address: place)], by: thread.map { ThreadID($0) })
  }

  private func found(_ happening: Happening) -> [Finding] {
    var detectors = Detectors(without: [])
    return detectors.happened(happening)
  }

  private func now(_ role: String) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(4), threadName: "worker", role: role, frames: [Frame(address: 40)])
  }

  private func before(_ thread: UInt32, _ deed: String, _ place: UInt64) -> Finding.Fact {
    Finding.Fact("T\(thread) \(deed)", frames: [Frame(address: place)])
  }

  private let group = SharedObject(id: LockID(1), kind: .group)
  private let semaphore = SharedObject(id: LockID(2), kind: .semaphore)
  private let queue = SharedObject(id: LockID(3), kind: .serialQueue, label: "bank")

  /// Each place is told once, even if several threads passed it; the latest leave is told first.
  @Test func aGroupLeftOnceTooOften() {
    let found = found(
      .groupOverleft(
        .init(
          thread: thread, group: group,
          enters: [step(10, by: 1), step(10, by: 2), step(11, by: 1)],
          leaves: [step(20, by: 3), step(21)])))
    #expect(
      found == [
        Finding(
          kind: .unbalancedGroup, status: .observed, severity: .error,
          title: "Unbalanced group: group L1 is left more often than it was entered",
          participants: [now("leaves group L1 once too often")], objects: [group],
          facts: [
            before(3, "left group L1 before", 20),
            before(4, "left group L1 before", 21), before(1, "had entered group L1", 10),
            before(1, "had entered group L1", 11),
          ],
          tests: ["a", "b"])
      ])
  }

  private func waiter(_ role: String) -> Finding.Participant {
    var waiter = now(role)
    waiter.wants = group.id
    return waiter
  }

  /// Blocks from one place are one fact.
  @Test func aGroupWaitedForInItsQueue() {
    let waits = Happening.GroupAwaitedInside(
      thread: thread, group: group, queues: [queue], isOnMain: false,
      blocks: [step(10, by: 4), step(10), step(11, by: 2)])
    #expect(
      found(.groupAwaitedInside(waits)) == [
        Finding(
          kind: .deadlock, status: .observed, severity: .error,
          title: """
            Deadlock: group L1 is waited for inside serial queue "bank", which has to run a block of \
            the group first
            """,
          participants: [waiter("is inside serial queue \"bank\" and waits for group L1")],
          objects: [group, queue],
          facts: [
            before(
              4, "submitted a block of group L1 to serial queue \"bank\"; it cannot begin", 10),
            before(
              2, "submitted a block of group L1 to serial queue \"bank\"; it cannot begin", 11),
          ],
          tests: ["a", "b"])
      ])
  }

  @Test func aGroupWaitedForOnTheMainThread() {
    let till = SharedObject(id: LockID(4), kind: .concurrentQueue, label: "till")
    let main = SharedObject(id: LockID(5), kind: .serialQueue, label: "main")
    let waits = Happening.GroupAwaitedInside(
      thread: thread, group: group, queues: [till, queue, main], isOnMain: true,
      blocks: [step(10)])
    #expect(
      found(.groupAwaitedInside(waits)) == [
        Finding(
          kind: .deadlock, status: .observed, severity: .error,
          title: """
            Deadlock: group L1 is waited for on the main thread, which has to run a block of the \
            group first: concurrent queue "till" → serial queue "bank" → serial queue "main"
            """,
          participants: [waiter("is the main thread and waits for group L1")],
          objects: [group, till, queue, main],
          facts: [
            before(
              4, "submitted a block of group L1 to concurrent queue \"till\"; it cannot begin", 10)
          ],
          tests: ["a", "b"])
      ])
    var others = Detectors(without: [.deadlock])
    let rest = others.happened(.groupAwaitedInside(waits))
    #expect(rest == [])
  }

  @Test func aGroupThatWasNeverEntered() {
    let found = found(.groupOverleft(.init(thread: thread, group: group)))
    #expect(found.map(\.participants) == [[now("leaves group L1 once too often")]])
  }

  @Test func aGroupNotifiedTooEarly() {
    let found = found(
      .groupNotifiedEarly(
        .init(thread: thread, group: group, notified: step(10, by: 1), entered: step(20, by: 2))))
    #expect(
      found == [
        Finding(
          kind: .unbalancedGroup, status: .observed, severity: .error,
          title:
            "Early notification: the end of group L1 was asked for before it was first entered",
          participants: [
            Finding.Participant(
              thread: ThreadID(1),
              role: "asked to be told of the end of group L1, which was empty: told at once",
              frames: [Frame(address: 10)])
          ],
          objects: [group],
          facts: [before(2, "entered group L1 only then; nobody waited for the leave", 20)],
          tests: ["a", "b"])
      ])
  }

  @Test(arguments: [(1, "1 signal is"), (0, "2 signals are")])
  func aSemaphoreInUse(value: Int, missing: String) {
    let found = found(
      .semaphoreFreedInUse(
        .init(
          thread: thread, semaphore: semaphore, value: value, initial: 2,
          waits: [step(10, by: 1)], signals: [step(20, by: 2)])))
    #expect(
      found == [
        Finding(
          kind: .semaphoreMisuse, status: .observed, severity: .error,
          title: "Semaphore released in use: semaphore L2 is let go while \(missing) missing",
          participants: [now("lets go of semaphore L2 for the last time")], objects: [semaphore],
          facts: [
            before(1, "had waited for semaphore L2", 10),
            before(2, "had signalled semaphore L2", 20),
          ],
          tests: ["a", "b"])
      ])
  }

  @Test(arguments: [(false, "suspended"), (true, "not activated")])
  func aSuspendedQueue(isNeverActivated: Bool, state: String) {
    let found = found(
      .suspendedReleased(
        .init(
          thread: thread, object: queue, isNeverActivated: isNeverActivated,
          suspended: step(10, by: 1))))
    #expect(
      found == [
        Finding(
          kind: .queueMisuse, status: .observed, severity: .error,
          title: "Released while \(state): serial queue \"bank\" is let go before it is resumed",
          participants: [now("lets go of serial queue \"bank\" for the last time")],
          objects: [queue], facts: [before(1, "had suspended serial queue \"bank\"", 10)],
          tests: ["a", "b"])
      ])
  }

  /// Outside of the group's queues, the wait keeps no block from running.
  @Test func aGroupWaitedForOutsideOfItsQueues() {
    let waits = Happening.GroupAwaitedInside(
      thread: thread, group: group, queues: [], isOnMain: false)
    #expect(found(.groupAwaitedInside(waits)) == [])
  }

  /// An unknown place is not shown.
  @Test func aQueueThatWasSuspendedSomewhere() {
    let released = Happening.SuspendedReleased(
      thread: thread, object: queue, isNeverActivated: true)
    #expect(found(.suspendedReleased(released)).map(\.facts) == [[]])
  }
}
