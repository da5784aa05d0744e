import Testing
import ThreadmillModel

@testable import ThreadmillDetection

/// What the detectors of groups, semaphores, queues and sources make of a happening.
@Suite struct ObjectMisuseTests {
  private let thread = ThreadSnapshot(
    thread: ThreadID(4), name: "worker", held: [], stack: [Frame(address: 40)], tests: ["b", "a"])

  private func happening(
    _ kind: Happening.Kind, _ object: SharedObject?, places: [UInt64] = [],
    threads: [ThreadID?] = [], numbers: [UInt64] = []
  ) -> Happening {
    Happening(
      kind: kind, thread: thread, objects: object.map { [$0] } ?? [],
      places: places.map { [Frame(address: $0)] }, placeThreads: threads, numbers: numbers)
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

  /// Each place once, though it was passed by several threads; the latest leave first.
  @Test func aGroupLeftOnceTooOften() {
    let found = found(
      happening(
        .groupOverleft, group, places: [10, 10, 11, 20, 21],
        threads: [ThreadID(1), ThreadID(2), ThreadID(1), ThreadID(3), nil], numbers: [3]))
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
    var waits = happening(
      .groupAwaitedInside, group, places: [10, 10, 11], threads: [ThreadID(4), nil, ThreadID(2)],
      numbers: [0])
    waits.objects.append(queue)
    #expect(
      found(waits) == [
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
    var waits = happening(.groupAwaitedInside, group, places: [10], numbers: [1])
    waits.objects += [till, queue, main]
    #expect(
      found(waits) == [
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
    let rest = others.happened(waits)
    #expect(rest == [])
  }

  @Test func aGroupThatWasNeverEntered() {
    let found = found(happening(.groupOverleft, group))
    #expect(found.map(\.participants) == [[now("leaves group L1 once too often")]])
  }

  @Test func aGroupNotifiedTooEarly() {
    let found = found(
      happening(
        .groupNotifiedEarly, group, places: [10, 20], threads: [ThreadID(1), ThreadID(2)]))
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

  @Test(arguments: [(UInt64(1), "1 signal is"), (0, "2 signals are")])
  func aSemaphoreInUse(value: UInt64, missing: String) {
    let found = found(
      happening(
        .semaphoreFreedInUse, semaphore, places: [10, 20], threads: [ThreadID(1), ThreadID(2)],
        numbers: [value, 2, 1]))
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

  @Test(arguments: [(UInt64(0), "suspended"), (1, "not activated")])
  func aSuspendedQueue(inactive: UInt64, state: String) {
    let found = found(
      happening(
        .suspendedReleased, queue, places: [10], threads: [ThreadID(1)], numbers: [inactive]))
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

  /// Without an object there is nothing to say, and nothing may go wrong.
  @Test(arguments: [
    Happening.Kind.groupOverleft, .groupNotifiedEarly, .semaphoreFreedInUse, .suspendedReleased,
  ])
  func nothingToTalkAbout(kind: Happening.Kind) {
    #expect(found(happening(kind, nil)) == [])
  }
}
