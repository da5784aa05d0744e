import Testing
import ThreadmillDetection
import ThreadmillModel

/// What is a finding, and what the finding says.
@Suite struct LockOrderTests {
  @Test func oppositeOrdersOfTwoStrands() {
    var scene = Scene(mutexes: 2)
    let first = scene.strand(
      1, holds: [.lock(1, at: [10])], takes: .lock(2), stack: [11, 12], tests: ["b"])
    #expect(first == [])
    let second = scene.strand(
      2, holds: [.lock(2, at: [20])], takes: .lock(1), stack: [21], tests: ["c", "a"])

    let expected = Finding(
      kind: .lockOrderCycle, status: .potential, severity: .error,
      title: "Lock order cycle: mutex L1 → mutex L2 → mutex L1",
      participants: [
        Finding.Participant(
          thread: ThreadID(1), role: "holds mutex L1 and takes mutex L2",
          frames: [Frame(address: 11), Frame(address: 12)],
          holds: [Finding.HeldObject(object: LockID(1), frames: [Frame(address: 10)])],
          wants: LockID(2)),
        Finding.Participant(
          thread: ThreadID(2), role: "holds mutex L2 and takes mutex L1",
          frames: [Frame(address: 21)],
          holds: [Finding.HeldObject(object: LockID(2), frames: [Frame(address: 20)])],
          wants: LockID(1)),
      ],
      objects: [.mutex(1), .mutex(2)], tests: ["a", "b", "c"])
    #expect(second == [.finding(expected)])
    #expect(scene.graph.filtered == [])
    #expect(scene.graph.accounting == [:])
  }

  @Test func eachCycleOnlyOnce() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(1)).cycles == [[1, 2]])
    #expect(scene.strand(2, time: 2, holds: [.lock(2)], takes: .lock(1)) == [])
    #expect(scene.strand(3, holds: [.lock(2)], takes: .lock(1)) == [])
    #expect(scene.strand(4, holds: [.lock(1)], takes: .lock(2)) == [])
  }

  @Test func ringStartsWithTheLowestLock() {
    var scene = Scene(mutexes: 3)
    #expect(scene.strand(1, holds: [.lock(3)], takes: .lock(1)) == [])
    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(3)) == [])
    let verdicts = scene.strand(3, holds: [.lock(1)], takes: .lock(2))
    #expect(verdicts.cycles == [[1, 2, 3]])
    #expect(
      verdicts.findings.map(\.title) == [
        "Lock order cycle: mutex L1 → mutex L2 → mutex L3 → mutex L1"
      ])
    #expect(verdicts.findings.first?.participants.map(\.thread.rawValue) == [3, 2, 1])
  }

  @Test func lockAndQueue() {
    var scene = Scene([.mutex(1), .queue(2, "bank")])
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    let found = scene.strand(2, holds: [.lock(2)], takes: .lock(1)).findings
    #expect(found.map(\.title) == [#"Lock order cycle: mutex L1 → serial queue "bank" → mutex L1"#])
    #expect(
      found.first?.participants.map(\.role) == [
        #"holds mutex L1 and syncs onto serial queue "bank""#,
        #"is inside serial queue "bank" and takes mutex L1"#,
      ])
  }

  @Test func everyLockHeldMakesAnEdge() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1), .lock(2)], takes: .lock(3))
    #expect(scene.strand(2, holds: [.lock(3)], takes: .lock(1)).cycles == [[1, 3]])
    #expect(scene.strand(3, holds: [.lock(3)], takes: .lock(2)).cycles == [[2, 3]])
  }

  @Test func oneAcquisitionClosesTwoCycles() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3)], takes: .lock(1))
    _ = scene.strand(2, holds: [.lock(3)], takes: .lock(2))
    let verdicts = scene.strand(3, holds: [.lock(1), .lock(2)], takes: .lock(3))
    #expect(verdicts.cycles == [[1, 3], [2, 3]])
  }

  @Test func shorterCyclesFirst() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(2)], takes: .lock(3))
    _ = scene.strand(3, holds: [.lock(1)], takes: .lock(3))
    #expect(scene.strand(4, holds: [.lock(3)], takes: .lock(1)).cycles == [[1, 3], [1, 2, 3]])
  }

  @Test(arguments: [
    (held: HoldMode.shared, wanted: HoldMode.shared, cycles: [[UInt64]]()),
    (held: .shared, wanted: .exclusive, cycles: [[1, 2]]),
    (held: .exclusive, wanted: .shared, cycles: [[1, 2]]),
    (held: .exclusive, wanted: .exclusive, cycles: [[1, 2]]),
  ])
  func readersDoNotWaitForReaders(held: HoldMode, wanted: HoldMode, cycles: [[UInt64]]) {
    var scene = Scene([.readWriteLock(1), .mutex(2)])
    _ = scene.strand(1, holds: [.lock(1, held)], takes: .lock(2))
    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(1, wanted)).cycles == cycles)
    #expect(scene.graph.filtered == [])
  }

  @Test func rolesTellReadersFromWriters() {
    var scene = Scene([.readWriteLock(1), .readWriteLock(2)])
    _ = scene.strand(1, holds: [.lock(1, .shared)], takes: .lock(2))
    let found = scene.strand(2, holds: [.lock(2)], takes: .lock(1, .exclusive)).findings
    #expect(
      found.first?.participants.map(\.role) == [
        "holds read-write lock L1 for reading and takes read-write lock L2 for writing",
        "holds read-write lock L2 for writing and takes read-write lock L1 for writing",
      ])
  }

  @Test func recursiveRelockMakesNoEdge() {
    var scene = Scene(mutexes: 2)
    #expect(scene.strand(1, holds: [.lock(1), .lock(2)], takes: .lock(1)) == [])
    #expect(scene.strand(2, holds: [.lock(1)], takes: .lock(2)) == [])
    #expect(scene.graph.filtered == [])
  }

  @Test func whatWasNotDeclaredMakesNoEdgeAndIsCounted() {
    var scene = Scene(mutexes: 1)
    #expect(scene.strand(1, holds: [.lock(1)], takes: .lock(2)) == [])
    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(1)) == [])
    #expect(scene.graph.accounting == ["lockUndeclared": 2])
  }

  @Test func longerCyclesAreCountedNotFound() {
    var limits = LockOrderLimits()
    limits.cycleLength = 3
    var scene = Scene(mutexes: 4, limits: limits)
    for lock in 1...3 as ClosedRange<UInt64> {
      _ = scene.strand(Int(lock), holds: [.lock(lock)], takes: .lock(lock + 1))
    }
    #expect(scene.strand(4, holds: [.lock(4)], takes: .lock(1)).findings == [])
    #expect(scene.graph.accounting == ["lockCyclesTooLong": 1])
  }

  @Test func findingsBeyondTheLimitAreCounted() {
    var limits = LockOrderLimits()
    limits.findings = 1
    var scene = Scene(mutexes: 3, limits: limits)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(1)], takes: .lock(3))
    #expect(scene.strand(3, holds: [.lock(2)], takes: .lock(1)).cycles == [[1, 2]])
    #expect(scene.strand(4, holds: [.lock(3)], takes: .lock(1)).cycles == [])
    #expect(scene.graph.accounting["lockFindingsNotReported"] == 1)
  }
}
