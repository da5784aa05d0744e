import Testing
import ThreadmillDetection
import ThreadmillModel

/// Opposite orders of classes of locks are candidates, and no findings.
@Suite struct ClassCandidateTests {
  /// Two locks of each of two classes: 1 and 3 are made at 11, 2 and 4 at 22.
  private func scene(_ others: [SharedObject] = []) -> Scene {
    let locks: [SharedObject] = [
      .mutex(1, created: [11]), .mutex(2, created: [22]), .mutex(3, created: [11]),
      .mutex(4, created: [22]),
    ]
    return Scene(locks + others)
  }

  private func frames(_ addresses: UInt64...) -> Backtrace {
    addresses.map { Frame(address: $0) }
  }

  private func participant(
    _ thread: UInt32, holds held: UInt64, takes wanted: UInt64, taken: UInt64, waits: UInt64
  ) -> Finding.Participant {
    Finding.Participant(
      thread: ThreadID(thread), role: "holds mutex L\(held) and takes mutex L\(wanted)",
      frames: frames(waits), holds: [.init(object: LockID(held), frames: frames(taken))],
      wants: LockID(wanted))
  }

  private func candidate(_ fact: String) -> Finding {
    Finding(
      kind: .lockOrderCycle, status: .potential,
      title: "Lock order cycle: mutex L1 → mutex L2 → mutex L1",
      participants: [
        participant(1, holds: 1, takes: 2, taken: 101, waits: 102),
        participant(2, holds: 2, takes: 1, taken: 201, waits: 202),
      ],
      objects: [.mutex(1, created: [11]), .mutex(2, created: [22])], facts: [.init(fact)],
      tests: ["a"])
  }

  private static let others =
    "the run that was watched had other locks of the same classes for each of the two"
  private static let before = "the run that was watched had one of the two before the other"

  /// The second thread's locks have the names of the first one's.
  @Test func differentInstancesAreACandidate() {
    var scene = scene()
    let up = scene.strand(
      1, holds: [.lock(1, at: [101])], takes: .lock(2), stack: [102], tests: ["a"])
    let down = scene.strand(
      2, holds: [.lock(4, at: [201])], takes: .lock(3), stack: [202], tests: ["a"])
    #expect(up + down == [])
    #expect(scene.graph.classCandidates == [candidate(Self.others)])
  }

  @Test func oneAfterTheOtherIsACandidate() {
    var scene = scene()
    let up = scene.strand(
      1, holds: [.lock(1, at: [101])], takes: .lock(2), stack: [102], tests: ["a"])
    let down = scene.strand(
      2, knows: [1: 1], holds: [.lock(2, at: [201])], takes: .lock(1), stack: [202], tests: ["a"])
    #expect((up + down).findings == [])
    #expect(scene.graph.classCandidates == [candidate(Self.before)])
  }

  @Test func itOutlivesItsLocks() {
    var scene = scene()
    _ = scene.strand(1, holds: [.lock(1, at: [101])], takes: .lock(2), stack: [102], tests: ["a"])
    for lock in [1, 2] as [UInt64] { scene.graph.retire(LockID(lock)) }
    _ = scene.strand(2, holds: [.lock(4, at: [201])], takes: .lock(3), stack: [202], tests: ["a"])
    #expect(scene.graph.classCandidates == [candidate(Self.others)])
  }

  /// The gate tells of these late, when their locks are gone.
  @Test func aNestingOfThePastCounts() {
    var scene = scene()
    let past = NestedAcquisition(
      thread: ThreadID(1),
      moment: Moment(strand: StrandID(1), slot: 1, time: 1, knowledge: []),
      held: [.lock(8, at: [101])], wanted: .lock(9), stack: frames(102), tests: ["a"])
    scene.graph.nestedBefore(past, [.mutex(8, created: [11]), .mutex(9, created: [22])])
    _ = scene.strand(2, holds: [.lock(4, at: [201])], takes: .lock(3), stack: [202], tests: ["a"])
    let found = scene.graph.classCandidates
    #expect(found.map(\.title) == ["Lock order cycle: mutex L8 → mutex L9 → mutex L8"])
    #expect(scene.graph.object(LockID(8)) == nil)
  }

  /// All tasks have status locks of one class.
  @Test func aStatusLockStandsForAll() {
    let status = [5, 6].map { SharedObject(id: LockID($0), kind: .taskStatusLock) }
    var scene = scene(status)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(5), tests: ["a"])
    _ = scene.strand(2, holds: [.lock(6), .lock(5)], takes: .lock(3), tests: ["a"])
    let kinds = scene.graph.classCandidates.map { $0.objects.map(\.kind) }
    #expect(kinds == [[.mutex, .taskStatusLock]])
  }

  /// Only a test that has done both can be explored for it.
  @Test func itIsOfTheTestsThatDidBoth() {
    var scene = scene()
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2), tests: ["a"])
    _ = scene.strand(2, holds: [.lock(4)], takes: .lock(3), tests: ["b"])
    #expect(scene.graph.classCandidates.map(\.tests) == [[]])
    _ = scene.strand(3, holds: [.lock(2)], takes: .lock(3), tests: ["a"])
    #expect(scene.graph.classCandidates.map(\.tests) == [["a"]])
  }

  @Test func aHierarchyIsNone() {
    var scene = scene()
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(3)], takes: .lock(4))
    // Within one class, too: the parent before the child.
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(3))
    _ = scene.strand(2, holds: [.lock(2)], takes: .lock(4))
    #expect(scene.graph.classCandidates == [])
  }

  @Test func whatCannotDeadlockIsNone() {
    var reading = Scene(
      [1, 2].map { id in
        SharedObject(
          id: LockID(id), kind: .readWriteLock, created: [Frame(address: 11 * id)])
      } + [.mutex(3, created: [33]), .mutex(4, created: [33])])
    _ = reading.strand(1, holds: [.lock(1, .shared)], takes: .lock(3))
    _ = reading.strand(2, holds: [.lock(4)], takes: .lock(1, .shared))
    #expect(reading.graph.classCandidates == [])

    var guarded = scene([.mutex(7, created: [77]), .mutex(8, created: [77])])
    _ = guarded.strand(1, holds: [.lock(7), .lock(1)], takes: .lock(2))
    _ = guarded.strand(2, holds: [.lock(8), .lock(4)], takes: .lock(3))
    #expect(guarded.graph.classCandidates == [])

    var alone = scene()
    _ = alone.strand(1, time: 1, holds: [.lock(1)], takes: .lock(2))
    _ = alone.strand(1, time: 2, holds: [.lock(4)], takes: .lock(3))
    #expect(alone.graph.classCandidates == [])

    let signals = [5, 6].map { id in
      SharedObject(id: LockID(id), kind: .semaphore, created: [Frame(address: 55)])
    }
    var signalled = scene(signals)
    _ = signalled.strand(1, holds: [.lock(1)], takes: .lock(5))
    _ = signalled.strand(2, holds: [.lock(6)], takes: .lock(3))
    #expect(signalled.graph.classCandidates == [])
  }

  /// A lock that no call has made stands for nothing else. Many of these take no room.
  @Test func twoLocksWithoutAClassAreNone() {
    var scene = Scene([.mutex(1), .mutex(2), .mutex(3, created: [33])])
    _ = scene.strand(1, time: 1, holds: [.lock(1)], takes: .lock(2), tests: ["a"])
    _ = scene.strand(2, time: 1, knows: [1: 1], holds: [.lock(2)], takes: .lock(1), tests: ["a"])
    #expect(scene.graph.classCandidates == [])
    _ = scene.strand(1, time: 2, holds: [.lock(1)], takes: .lock(3), tests: ["a"])
    _ = scene.strand(2, time: 2, knows: [1: 2], holds: [.lock(3)], takes: .lock(1), tests: ["a"])
    #expect(scene.graph.classCandidates.map { $0.objects.map(\.id) } == [[1, 3]])
  }

  /// A cycle of two instances is a finding, and no candidate besides.
  @Test func aFindingIsNoCandidate() {
    var scene = scene()
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(1)).findings.count == 1)
    _ = scene.strand(3, holds: [.lock(4)], takes: .lock(3))
    #expect(scene.graph.classCandidates == [])
  }
}
