import Testing
import ThreadmillDetection
import ThreadmillModel

/// Deadlocks that are there.
@Suite struct WaitForGraphTests {
  private let objects: [SharedObject] = [
    .mutex(1), .mutex(2), .mutex(3), .readWriteLock(4), .queue(5, "bank"),
  ]

  private func deadlock(_ threads: [ThreadSnapshot], from start: UInt32 = 1) -> Finding? {
    WaitForGraph.deadlock(among: threads, starting: ThreadID(start)) { id in
      objects.first { $0.id == id }
    }
  }

  private func thread(
    _ id: UInt32, name: String? = nil, holds: [Hold] = [], waitsFor: Hold? = nil,
    joins: UInt32? = nil, tests: [String] = []
  ) -> ThreadSnapshot {
    ThreadSnapshot(
      thread: ThreadID(id), name: name, held: holds, waitsFor: waitsFor,
      joins: joins.map { ThreadID($0) }, stack: [Frame(address: UInt64(100 + id))], tests: tests)
  }

  @Test func twoThreads() {
    let threads = [
      thread(
        2, name: "saw", holds: [.lock(3), .lock(2, at: [20])], waitsFor: .lock(1),
        tests: ["b", "a"]
      ),
      thread(1, holds: [.lock(1, at: [10])], waitsFor: .lock(2), tests: ["b"]),
      thread(3, holds: []),
    ]
    let expected = Finding(
      kind: .deadlock, status: .observed, severity: .error,
      title: #"Deadlock: thread T1 waits for mutex L2, thread "saw" waits for mutex L1"#,
      participants: [
        Finding.Participant(
          thread: ThreadID(1), role: "holds mutex L1 and waits for mutex L2",
          frames: [Frame(address: 101)],
          holds: [Finding.HeldObject(object: LockID(1), frames: [Frame(address: 10)])],
          wants: LockID(2)),
        Finding.Participant(
          thread: ThreadID(2), threadName: "saw", role: "holds mutex L2 and waits for mutex L1",
          frames: [Frame(address: 102)],
          holds: [
            Finding.HeldObject(object: LockID(3)),
            Finding.HeldObject(object: LockID(2), frames: [Frame(address: 20)]),
          ],
          wants: LockID(1)),
      ],
      objects: [.mutex(2), .mutex(1)], tests: ["a", "b"])
    #expect(deadlock(threads, from: 1) == expected)
    #expect(deadlock(threads, from: 2) == expected)
    #expect(deadlock(threads, from: 3) == nil)
  }

  @Test func oneThatRunsIsNoDeadlock() {
    #expect(
      deadlock([
        thread(1, holds: [.lock(1)], waitsFor: .lock(2)), thread(2, holds: [.lock(2)]),
      ]) == nil)
  }

  @Test func ringOfThree() {
    let found = deadlock([
      thread(1, holds: [.lock(1)], waitsFor: .lock(2)),
      thread(2, holds: [.lock(2)], waitsFor: .lock(3)),
      thread(3, holds: [.lock(3)], waitsFor: .lock(1)),
    ])
    #expect(found?.participants.map(\.thread.rawValue) == [1, 2, 3])
    #expect(found?.objects.map(\.id.rawValue) == [2, 3, 1])
  }

  @Test func queueAndLock() {
    let found = deadlock([
      thread(1, holds: [.lock(1)], waitsFor: .lock(5)),
      thread(2, holds: [.lock(5)], waitsFor: .lock(1)),
    ])
    #expect(
      found?.participants.map(\.role) == [
        #"holds mutex L1 and waits for serial queue "bank""#,
        #"is inside serial queue "bank" and waits for mutex L1"#,
      ])
  }

  @Test func joinUnderALock() {
    let found = deadlock([
      thread(1, holds: [.lock(1)], joins: 2), thread(2, waitsFor: .lock(1)),
    ])
    #expect(
      found?.title
        == "Deadlock: thread T1 waits for the end of thread T2, thread T2 waits for mutex L1")
    #expect(
      found?.participants.map(\.role) == [
        "holds mutex L1 and waits for the end of thread T2", "waits for mutex L1",
      ])
    #expect(found?.participants.map(\.wants) == [nil, LockID(1)])
    #expect(found?.objects.map(\.id.rawValue) == [1])
  }

  @Test func threadsThatJoinEachOther() {
    #expect(
      deadlock([thread(1, joins: 2), thread(2, joins: 1)])?.title
        == "Deadlock: thread T1 waits for the end of thread T2, "
        + "thread T2 waits for the end of thread T1")
  }

  @Test func joinOfAThreadThatRunsOrIsGone() {
    #expect(deadlock([thread(1, joins: 2), thread(2)]) == nil)
    #expect(deadlock([thread(1, joins: 9)]) == nil)
  }

  @Test(arguments: [
    (held: HoldMode.shared, wanted: HoldMode.shared, isDeadlock: false),
    (held: .shared, wanted: .exclusive, isDeadlock: true),
    (held: .exclusive, wanted: .shared, isDeadlock: true),
  ])
  func readersDoNotWaitForReaders(held: HoldMode, wanted: HoldMode, isDeadlock: Bool) {
    let found = deadlock([
      thread(1, holds: [.lock(4, held)], waitsFor: .lock(1)),
      thread(2, holds: [.lock(1)], waitsFor: .lock(4, wanted)),
    ])
    #expect((found != nil) == isDeadlock)
  }

  @Test func oneOfManyReadersIsEnough() {
    let found = deadlock([
      thread(1, holds: [.lock(1)], waitsFor: .lock(4)),
      thread(2, holds: [.lock(4, .shared)]),
      thread(3, holds: [.lock(4, .shared)], waitsFor: .lock(1)),
    ])
    #expect(found?.participants.map(\.thread.rawValue) == [1, 3])
  }

  @Test func twoReadersThatBothWantToWrite() {
    let found = deadlock([
      thread(1, holds: [.lock(4, .shared)], waitsFor: .lock(4)),
      thread(2, holds: [.lock(4, .shared)], waitsFor: .lock(4)),
    ])
    #expect(
      found?.participants.map(\.role) == [
        "holds read-write lock L4 for reading and waits for read-write lock L4 for writing",
        "holds read-write lock L4 for reading and waits for read-write lock L4 for writing",
      ])
  }

  @Test func oneThatWaitsForADeadlockSeesIt() {
    let threads = [
      thread(1, holds: [.lock(1)], waitsFor: .lock(2)),
      thread(2, holds: [.lock(2)], waitsFor: .lock(1)),
      thread(3, waitsFor: .lock(1)),
    ]
    #expect(deadlock(threads, from: 3) == deadlock(threads, from: 1))
    #expect(deadlock(threads, from: 3)?.participants.count == 2)
  }

  @Test func threadThatShutsItselfOutIsNotADeadlockOfThreads() {
    #expect(deadlock([thread(1, holds: [.lock(1)], waitsFor: .lock(1))]) == nil)
  }
}
