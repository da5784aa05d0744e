import Testing
import ThreadmillDetection
import ThreadmillModel

/// What a thread does to itself.
@Suite struct ReentryTests {
  private func snapshot(_ held: [Hold], _ wanted: Hold) -> ThreadSnapshot {
    ThreadSnapshot(
      thread: ThreadID(4), name: "worker", held: held, waitsFor: wanted,
      stack: [Frame(address: 40)], tests: ["b", "a"])
  }

  @Test func relockOfAMutex() {
    let found = WaitForGraph.selfDeadlock(
      snapshot([.lock(2), .lock(1, at: [10])], .lock(1))
    ) { _ in .mutex(1 as UInt64) }
    let expected = Finding(
      kind: .selfDeadlock, status: .observed, severity: .error,
      title: "Self-deadlock: mutex L1 is taken again by the thread that holds it",
      participants: [
        Finding.Participant(
          thread: ThreadID(4), threadName: "worker",
          role: "holds mutex L1 and takes mutex L1 again", frames: [Frame(address: 40)],
          holds: [
            Finding.HeldObject(object: LockID(2)),
            Finding.HeldObject(object: LockID(1), frames: [Frame(address: 10)]),
          ],
          wants: LockID(1))
      ],
      objects: [.mutex(1)], tests: ["a", "b"])
    #expect(found == expected)
  }

  @Test(arguments: [
    (SharedObject.Kind.mutex, true), (.spinLock, true), (.synchronizationMutex, true),
    (.readWriteLock, true), (.recursiveMutex, false), (.semaphore, false), (.taskStatusLock, false),
    (.serialQueue, false), (.concurrentQueue, false),
  ])
  func onlyPlainLocks(kind: SharedObject.Kind, isCertain: Bool) {
    let found = WaitForGraph.selfDeadlock(snapshot([.lock(1)], .lock(1))) {
      SharedObject(id: $0, kind: kind)
    }
    #expect((found != nil) == isCertain)
  }

  @Test(
    arguments: [
      (HoldMode.shared, HoldMode.shared, nil),
      (
        .shared, .exclusive,
        "holds read-write lock L4 for reading and takes read-write lock L4 for writing again"
      ),
      (
        .exclusive, .shared,
        "holds read-write lock L4 for writing and takes read-write lock L4 for reading again"
      ),
    ] as [(HoldMode, HoldMode, String?)])
  func upgradeOfAReadLock(held: HoldMode, wanted: HoldMode, role: String?) {
    let found = WaitForGraph.selfDeadlock(snapshot([.lock(4, held)], .lock(4, wanted))) { _ in
      .readWriteLock(4)
    }
    #expect(found?.participants.map(\.role) == role.map { [$0] })
  }

  @Test func otherLocksAreFine() {
    #expect(
      WaitForGraph.selfDeadlock(snapshot([.lock(1)], .lock(2))) { .mutex($0.rawValue) } == nil)
  }

  @Test func syncOntoTheOwnQueue() {
    let found = WaitForGraph.queueReentry(
      snapshot([.lock(5)], .lock(5)), chain: [.queue(5, "bank")])
    let expected = Finding(
      kind: .queueReentry, status: .observed, severity: .error,
      title: #"Queue re-entry: sync onto serial queue "bank" from work that is already inside it"#,
      participants: [
        Finding.Participant(
          thread: ThreadID(4), threadName: "worker",
          role: #"is inside serial queue "bank" and syncs onto it"#, frames: [Frame(address: 40)],
          holds: [Finding.HeldObject(object: LockID(5))], wants: LockID(5))
      ],
      objects: [.queue(5, "bank")], tests: ["a", "b"])
    #expect(found == expected)
  }

  @Test func syncThroughATarget() {
    let chain: [SharedObject] = [.queue(7, "a"), .queue(6, "b"), .queue(5, "bank")]
    let found = WaitForGraph.queueReentry(snapshot([.lock(5)], .lock(7)), chain: chain)
    #expect(found.objects == chain)
    #expect(
      found.title
        == #"Queue re-entry: sync onto serial queue "a" from inside serial queue "bank", "#
        + #"to which it leads: serial queue "a" → serial queue "b" → serial queue "bank""#)
    #expect(
      found.participants.map(\.role) == [
        #"is inside serial queue "bank" and syncs onto serial queue "a", which leads to it"#
      ])
  }
}
