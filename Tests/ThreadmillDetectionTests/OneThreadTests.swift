import Testing
import ThreadmillDetection
import ThreadmillModel

/// Opposite orders that one thread alone took are a note, once for each piece of code.
@Suite struct OneThreadTests {
  private static func frames(_ addresses: UInt64...) -> Backtrace {
    addresses.map { Frame(address: $0) }
  }

  /// `copy` takes its source at 101 and its target at 102, and is called at `line`.
  private func copy(
    _ source: UInt64, _ target: UInt64, strand: Int = 1, line: UInt64 = 50, time: UInt32,
    in scene: inout Scene
  ) -> [LockOrderGraph.Verdict] {
    scene.strand(
      strand, time: time, holds: [.lock(source, at: [101, line, 1])], takes: .lock(target),
      stack: [102, line, 1])
  }

  @Test func isANoteWithBothPlaces() {
    var scene = Scene(mutexes: 2)
    #expect(copy(1, 2, time: 1, in: &scene) == [])
    let verdicts = copy(2, 1, time: 2, in: &scene)
    var expected = Finding(
      kind: .lockOrderCycle, status: .potential, severity: .note,
      title: "Lock order cycle in one thread: mutex L1 → mutex L2 → mutex L1",
      participants: [(1, 2), (2, 1)].map { held, wanted in
        Finding.Participant(
          thread: ThreadID(1), role: "holds mutex L\(held) and takes mutex L\(wanted)",
          frames: Self.frames(102, 50, 1),
          holds: [Finding.HeldObject(object: LockID(held), frames: Self.frames(101, 50, 1))],
          wants: LockID(wanted))
      },
      objects: [.mutex(1), .mutex(2)],
      facts: [.init("one thread alone took these orders; two threads that do so can deadlock")])
    expected.isSingleThreaded = true
    #expect(verdicts.notes == [expected])
    #expect(verdicts.findings == [])
    #expect(!expected.counts)
    #expect(!expected.accuses)
    #expect(scene.graph.accounting["lockCyclesOfOneThread"] == 1)
  }

  @Test func otherInstancesAreNoNews() {
    var scene = Scene(mutexes: 6)
    for first in [1, 3, 5] as [UInt64] {
      _ = copy(first, first + 1, time: UInt32(first), in: &scene)
      let again = copy(first + 1, first, time: UInt32(first + 1), in: &scene)
      #expect(again.notes.count == (first == 1 ? 1 : 0))
    }
    #expect(scene.graph.accounting["lockCyclesOfOneThread"] == 3)
  }

  @Test func otherCodeIsNews() {
    var scene = Scene(mutexes: 4)
    _ = copy(1, 2, time: 1, in: &scene)
    #expect(copy(2, 1, time: 2, in: &scene).notes.count == 1)
    _ = scene.strand(
      1, time: 3, holds: [.lock(3, at: [201, 50, 1])], takes: .lock(4), stack: [202, 50, 1])
    let other = scene.strand(
      1, time: 4, holds: [.lock(4, at: [301, 50, 1])], takes: .lock(3), stack: [302, 50, 1])
    #expect(other.notes.count == 1)
  }

  @Test func theCycleOfTwoThreadsIsAnErrorStill() {
    var scene = Scene(mutexes: 4)
    _ = copy(1, 2, time: 1, in: &scene)
    let note = copy(2, 1, time: 2, in: &scene).notes
    let verdicts = copy(2, 1, strand: 2, time: 1, in: &scene)
    #expect(verdicts.findings.map(\.severity) == [.error])
    // A baseline that knows the note does not know the error.
    #expect(verdicts.findings.map(\.fingerprint) != note.map(\.fingerprint))
  }

  /// Once the cycle is an error, its code is no note for other instances.
  @Test func nothingIsNotedAfterTheError() {
    var scene = Scene(mutexes: 4)
    _ = copy(1, 2, time: 1, in: &scene)
    #expect(copy(2, 1, strand: 2, time: 1, in: &scene).findings.count == 1)
    _ = copy(3, 4, time: 2, in: &scene)
    #expect(copy(4, 3, time: 3, in: &scene).notes == [])
  }

  @Test func aGateLockIsSilent() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3), .lock(1)], takes: .lock(2))
    #expect(scene.strand(1, time: 2, holds: [.lock(3), .lock(2)], takes: .lock(1)) == [])
    #expect(scene.graph.accounting["lockCyclesOfOneThread"] == nil)
  }

  @Test func orderedThreadsAreSilent() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, time: 5, holds: [.lock(1)], takes: .lock(2))
    #expect(
      scene.strand(2, knows: [1: 5], holds: [.lock(2)], takes: .lock(1)) == [.watch([1, 2])])
  }

  @Test func aRingOfSeveralThreadsIsSilent() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(2)], takes: .lock(3))
    let verdicts = scene.strand(1, time: 2, holds: [.lock(3)], takes: .lock(1))
    #expect(verdicts == [.watch([1, 2, 3])])
  }

  @Test func semaphoresAreSilent() {
    var scene = Scene([
      SharedObject(id: LockID(1), kind: .semaphore), SharedObject(id: LockID(2), kind: .semaphore),
    ])
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    let verdicts = scene.strand(1, time: 2, holds: [.lock(2)], takes: .lock(1))
    #expect(verdicts == [.watch([1, 2])])
  }

  @Test func notesAreBounded() {
    var limits = LockOrderLimits()
    limits.oneThreadNotes = 2
    var scene = Scene(mutexes: 6, limits: limits)
    for first in [1, 3, 5] as [UInt64] {
      _ = scene.strand(1, time: UInt32(first), holds: [.lock(first)], takes: .lock(first + 1))
      _ = scene.strand(1, time: UInt32(first + 1), holds: [.lock(first + 1)], takes: .lock(first))
    }
    #expect(scene.graph.accounting["lockCyclesOfOneThread"] == 3)
    #expect(scene.graph.accounting["lockNotesNotReported"] == 1)
  }
}
