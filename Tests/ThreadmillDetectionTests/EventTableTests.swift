import Testing
import ThreadmillDetection
import ThreadmillModel

/// Each kind of event makes its finding, and none if that kind of finding is switched off.
@Suite struct EventTableTests {
  private static let thread = ThreadSnapshot(
    thread: ThreadID(4), held: [.lock(9)], stack: [Frame(address: 40, function: "now()")],
    tests: ["a"], quality: .userInitiated)
  private static let other = ThreadSnapshot(
    thread: ThreadID(5), held: [], stack: [Frame(address: 50, function: "other()")],
    quality: .background, submitted: [Frame(address: 55, function: "submit()")])
  private static let first = Happening.PastStep(
    at: [Frame(address: 60, function: "first()")], by: ThreadID(6))

  private static func object(_ id: UInt64, _ kind: SharedObject.Kind) -> SharedObject {
    SharedObject(id: LockID(id), kind: kind)
  }

  private static let group = object(1, .group)
  private static let mutex = object(2, .mutex)
  private static let queue = object(3, .serialQueue)
  private static let operation = object(4, .operation)
  private static let semaphore = object(5, .semaphore)
  private static let confined = object(6, .confined)

  /// An event, and the parts of its finding that are not prose.
  struct Row: Sendable {
    let event: Happening
    let kind: Finding.Kind
    let objects: [SharedObject]
    /// The innermost function of each participant.
    let functions: [String?]
    /// The innermost function of each fact.
    var facts: [String?] = []
  }

  private static let groups = [
    Row(
      event: .groupOverleft(.init(thread: thread, group: group, leaves: [first])),
      kind: .unbalancedGroup, objects: [group], functions: ["now()"], facts: ["first()"]),
    Row(
      event: .groupNotifiedEarly(
        .init(thread: thread, group: group, notified: first, entered: first)),
      kind: .unbalancedGroup, objects: [group], functions: ["first()"], facts: ["first()"]),
    Row(
      event: .groupAwaitedInside(
        .init(
          thread: thread, group: group, queues: [queue], isOnMain: false, blocks: [first])),
      kind: .deadlock, objects: [group, queue], functions: ["now()"], facts: ["first()"]),
  ]

  private static let priorities = [
    Row(
      event: .priorityInverted(
        .init(
          thread: thread, object: semaphore, nanoseconds: 1, isHarmful: true,
          othersPart: .endedWait, other: other)),
      kind: .priorityInversion, objects: [semaphore], functions: ["now()", "other()"]),
    Row(
      event: .queueRaised(
        .init(
          thread: thread, queue: queue, quality: .utility, nanoseconds: 1, isHarmful: true,
          backlog: 2, submitter: other)),
      kind: .priorityInversion, objects: [queue], functions: ["submit()"]),
  ]

  private static let waiters = Happening.MainQueueWaiters(
    milliseconds: 300, count: 1, submitted: [first.place])

  private static let threads = [
    Row(
      event: .crashed(.init(thread: thread, signal: 6)), kind: .crash, objects: [],
      functions: ["now()"]),
    Row(
      event: .mainQueueHeld(
        .init(thread: thread, queue: queue, submitted: first.place, waiters: waiters)),
      kind: .blockedMainQueue, objects: [queue], functions: [nil], facts: ["first()"]),
    Row(
      event: .mainThreadWaited(.init(thread: thread, object: semaphore, waiters: waiters)),
      kind: .blockedMainQueue, objects: [semaphore], functions: ["now()"], facts: ["first()"]),
    Row(
      event: .confinementBroken(
        .init(thread: thread, object: confined, place: queue, confiner: ThreadID(6))),
      kind: .confinementViolation, objects: [confined, queue], functions: ["now()", nil]),
  ]

  private static let tasks = [
    Row(
      event: .lockKept(.init(thread: thread, lock: mutex, awaits: first.place)),
      kind: .lockAcrossSuspension, objects: [mutex], functions: ["first()"]),
    Row(
      event: .jobBlocked(.init(thread: thread, awaited: .object(semaphore))),
      kind: .poolStarvation, objects: [semaphore], functions: ["now()"]),
    Row(
      event: .jobSleeps(.init(thread: thread, milliseconds: 100)), kind: .poolStarvation,
      objects: [], functions: ["now()"]),
    Row(
      event: .resumedTwice(.init(thread: thread, before: first)), kind: .continuationMisuse,
      objects: [], functions: ["now()", "first()"]),
    Row(
      event: .continuationDropped(.init(thread: thread)), kind: .continuationMisuse, objects: [],
      functions: ["now()"]),
  ]

  private static let lives = [
    Row(
      event: .semaphoreFreedInUse(
        .init(thread: thread, semaphore: semaphore, value: 0, initial: 1, waits: [first])),
      kind: .semaphoreMisuse, objects: [semaphore], functions: ["now()"], facts: ["first()"]),
    Row(
      event: .suspendedReleased(
        .init(thread: thread, object: queue, isNeverActivated: false, suspended: first)),
      kind: .queueMisuse, objects: [queue], functions: ["now()"], facts: ["first()"]),
  ]

  private static let locks = [
    Row(
      event: .ownerEnded(
        .init(thread: thread, lock: mutex, owner: ThreadID(6), taken: first.place)),
      kind: .deadlock, objects: [mutex], functions: ["now()", nil])
  ]

  private static let misuses = Happening.LockMisused.Misuse.allCases.map { misuse in
    Row(
      event: .lockMisused(.init(thread: thread, misuse: misuse, lock: mutex, other: first)),
      kind: .lockMisuse, objects: [mutex], functions: [misuse == .endedWith ? nil : "now()"],
      facts: ["first()"])
  }

  private static let operations = [
    Row(
      event: .operationsInCycle(
        .init(thread: thread, operations: [.init(operation)], length: 1)),
      kind: .operationCycle, objects: [operation], functions: ["now()"]),
    Row(
      event: .operationUsedAgain(
        .init(
          thread: thread, operation: operation, use: .start, state: .executing, firstUse: first)),
      kind: .operationMisuse, objects: [operation], functions: ["now()", "first()"]),
    Row(
      event: .operationFinishedEarly(
        .init(thread: thread, operation: operation, isCancelled: false)),
      kind: .operationMisuse, objects: [operation], functions: ["now()"]),
    Row(
      event: .operationRevived(.init(thread: thread, operation: operation)),
      kind: .operationMisuse, objects: [operation], functions: ["now()"]),
    Row(
      event: .operationAwaitedInside(
        .init(thread: thread, awaited: operation, hindrance: .itself)),
      kind: .deadlock, objects: [operation], functions: ["now()"]),
  ]

  static let all = groups + priorities + threads + tasks + lives + locks + misuses + operations

  @Test(arguments: all)
  func present(_ row: Row) throws {
    var detectors = Detectors(without: [])
    let found = detectors.happened(row.event)
    try #require(found.count == 1)
    #expect(found[0].kind == row.kind)
    #expect(found[0].objects == row.objects)
    #expect(found[0].participants.map(\.frames.first?.function) == row.functions)
    #expect(found[0].facts.map(\.frames.first?.function) == row.facts)
    #expect(found[0].tests == ["a"])
  }

  @Test(arguments: all)
  func switchedOff(_ row: Row) {
    var detectors = Detectors(without: [row.kind])
    #expect(detectors.happened(row.event) == [])
  }
}
