import Testing
import ThreadmillDetection
import ThreadmillModel

/// Findings about waits between work of different qualities of service.
@Suite struct PriorityInversionTests {
  private static let screen = thread(1, .userInitiated, stack: [10])

  private static func thread(
    _ number: UInt32, _ quality: Quality?, stack: [UInt64] = []
  ) -> ThreadSnapshot {
    ThreadSnapshot(
      thread: ThreadID(number), held: [], stack: stack.map { Frame(address: $0) },
      tests: number == 1 ? ["test"] : [], quality: quality,
      submitted: [Frame(address: UInt64(number) * 100)])
  }

  private func found(_ happening: Happening) -> [Finding] {
    var detectors = Detectors(without: [])
    return detectors.happened(happening)
  }

  private func wait(
    for object: SharedObject, of other: ThreadSnapshot, between: [ThreadSnapshot] = []
  ) -> Happening.PriorityInverted {
    .init(
      thread: Self.screen, object: object, nanoseconds: 23_456_789, isHarmful: true,
      othersPart: .hadObject, other: other, between: between)
  }

  private static let title =
    "Priority inversion: user-initiated or higher work waits for mutex L1, "
    + "which is held by background work"

  @Test func aLock() {
    let holder = Self.thread(2, .background, stack: [20])
    let expected = Finding(
      kind: .priorityInversion, status: .observed, severity: .warning, title: Self.title,
      participants: [
        Finding.Participant(
          thread: ThreadID(1),
          role: "runs at user-initiated or higher and waited 23.4 ms for mutex L1; "
            + "the section of the other one bounds the wait",
          frames: [Frame(address: 10)], wants: LockID(1), submitted: [Frame(address: 100)]),
        Finding.Participant(
          thread: ThreadID(2), role: "runs at background and held mutex L1 when the wait began",
          frames: [], holds: [.init(object: LockID(1), frames: [Frame(address: 20)])],
          submitted: [Frame(address: 200)]),
      ],
      objects: [.mutex(1)], tests: ["test"])
    #expect(found(.priorityInverted(wait(for: .mutex(1), of: holder))) == [expected])
  }

  /// If no quality was chosen, the ranks that the system gives decide.
  @Test(
    arguments: [
      (0x6C, 0x54, "real-time priority 4", "nice 0"), (0x54, 0x4A, "nice 0", "nice 10"),
      (0x68, 0x41, "nice -20", "nice 19"), (0x41, 0x40, "nice 19", "idle"),
      (0xFF, 0xCB, "deadline", "real-time priority 99"),
      (0x69, 0x68, "real-time priority 1", "nice -20"),
    ] as [(UInt8, UInt8, String, String)])
  func ranksDecide(_ own: UInt8, _ others: UInt8, _ waiter: String, _ holder: String) throws {
    func finding(_ own: UInt8, _ others: UInt8) throws -> Finding? {
      var event = wait(for: .mutex(1), of: Self.thread(2, nil, stack: [20]))
      event.thread.quality = nil
      event.ranks = .init(
        waiter: try #require(SchedulingRank(rawValue: own)),
        other: try #require(SchedulingRank(rawValue: others)))
      return found(.priorityInverted(event)).first
    }
    let inversion = try finding(own, others)
    #expect(
      inversion?.title
        == "Priority inversion: \(waiter) work waits for mutex L1, which is held by \(holder) work")
    #expect(
      inversion?.participants.map(\.role) == [
        "runs at \(waiter) and waited 23.4 ms for mutex L1; "
          + "the section of the other one bounds the wait",
        "runs at \(holder) and held mutex L1 when the wait began",
      ])
    #expect(try finding(others, own) == nil)
    #expect(try finding(own, own) == nil)
  }

  @Test func aShortWaitIsANote() {
    var event = wait(for: .mutex(1), of: Self.thread(2, .background))
    event.isHarmful = false
    #expect(found(.priorityInverted(event)).map(\.severity) == [.note])
  }

  @Test func whatRanInBetweenTakesPart() {
    let event = wait(
      for: .mutex(1), of: Self.thread(2, .background), between: [Self.thread(3, .utility)])
    let finding = found(.priorityInverted(event)).first
    #expect(finding?.participants.last?.role == "ran in between, at utility")
    #expect(
      finding?.participants.first?.role.hasSuffix(
        "; nothing bounds the wait, since other work ran in between") == true)
  }

  @Test(arguments: [
    (true, false, "its time limit bounds the wait"),
    (false, true, "nothing bounds the wait, since the other one waited itself"),
    (true, true, "its time limit bounds the wait"),
    (false, false, "the section of the other one bounds the wait"),
  ])
  func whatBoundsTheWait(isLimited: Bool, otherWaits: Bool, words: String) {
    var event = wait(for: .mutex(1), of: Self.thread(2, .background))
    (event.isLimited, event.otherWaits) = (isLimited, otherWaits)
    let finding = found(.priorityInverted(event)).first
    #expect(finding?.participants.first?.role.hasSuffix("; \(words)") == true)
  }

  @Test(
    arguments: [
      (.semaphore, "which is signalled by"), (.group, "which was left last by"),
      (.workItem, "which is"), (.operation, "which is"),
    ] as [(SharedObject.Kind, String)])
  func whatHasNoOwnerIsKnownByItsEnd(kind: SharedObject.Kind, words: String) {
    let object = SharedObject(id: LockID(1), kind: kind)
    var event = wait(for: object, of: Self.thread(2, .utility, stack: [20]))
    event.othersPart = .endedWait
    let finding = found(.priorityInverted(event)).first
    #expect(finding?.title.hasSuffix(", \(words) utility work") == true)
    #expect(finding?.participants.last?.frames == [Frame(address: 20)])
    #expect(finding?.participants.last?.holds == [])
  }

  /// The length of a wait is chance: it does not change the fingerprint.
  @Test func lengthsAreNotInTheFingerprint() {
    let holder = Self.thread(2, .background, stack: [20])
    let short = wait(for: .mutex(1), of: holder)
    var long = short
    long.nanoseconds = 99_000_000
    #expect(
      found(.priorityInverted(short)).map(\.fingerprint)
        == found(.priorityInverted(long)).map(\.fingerprint))
  }

  @Test(
    arguments: [.userInitiated, nil] as [Quality?])
  func whatIsNotLowerOrNotKnownIsNotAccused(quality: Quality?) {
    #expect(found(.priorityInverted(wait(for: .mutex(1), of: Self.thread(2, quality)))) == [])
  }

  @Test func aRaisedQueue() {
    let queue = SharedObject(id: LockID(4), kind: .serialQueue, label: "thumbnails")
    let expected = Finding(
      kind: .priorityInversion, status: .observed, severity: .warning,
      title: "Priority inversion: user-initiated or higher work waits behind the backlog of "
        + "serial queue \"thumbnails\", which is utility",
      participants: [
        Finding.Participant(
          thread: ThreadID(5),
          role: "submits user-initiated or higher work, which waits 60.0 ms behind 3 others "
            + "and raises them all",
          frames: [Frame(address: 500)])
      ],
      objects: [queue], tests: ["test"])
    var event = Happening.QueueRaised(
      thread: Self.screen, queue: queue, quality: .utility, nanoseconds: 60_000_000,
      isHarmful: true, backlog: 3, submitter: Self.thread(5, .userInitiated))
    #expect(found(.queueRaised(event)) == [expected])
    event.isHarmful = false
    #expect(found(.queueRaised(event)).map(\.severity) == [.note])
    event.submitter.quality = nil
    #expect(found(.queueRaised(event)) == [])
  }

  @Test func nothingIsFoundWithoutTheKind() {
    var detectors = Detectors(without: [.priorityInversion])
    let event = wait(for: .mutex(1), of: Self.thread(2, .background))
    #expect(detectors.happened(.priorityInverted(event)) == [])
  }
}
