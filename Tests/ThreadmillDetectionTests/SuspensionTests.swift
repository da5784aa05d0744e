import Testing
import ThreadmillDetection
import ThreadmillModel

/// Findings about locks that a task still holds in an `await`.
@Suite struct SuspensionTests {
  private func kept(_ lock: SharedObject, _ mode: HoldMode, awaits: Backtrace) -> Happening {
    let thread = ThreadSnapshot(
      thread: ThreadID(3), name: "worker",
      held: [.lock(7, at: [70]), Hold(lock: lock.id, mode: mode, site: [Frame(address: 10)])],
      stack: [Frame(address: 99)], tests: ["b", "a", "b"])
    return .lockKept(.init(thread: thread, lock: lock, awaits: awaits))
  }

  private func found(_ happening: Happening, without off: Set<Finding.Kind> = []) -> [Finding] {
    var detectors = Detectors(without: off)
    return detectors.happened(happening)
  }

  @Test func aLockIsHeldInAnAwait() {
    let lock = SharedObject.mutex(1, created: [5])
    let moment = "when its task suspends in an await"
    let expected = Finding(
      kind: .lockAcrossSuspension, status: .observed, severity: .error,
      title: "Lock across suspension: mutex L1 is still held \(moment)",
      participants: [
        Finding.Participant(
          thread: ThreadID(3), threadName: "worker", role: "holds mutex L1 \(moment)",
          frames: [Frame(address: 20), Frame(address: 30)],
          holds: [Finding.HeldObject(object: lock.id, frames: [Frame(address: 10)])])
      ],
      objects: [lock], tests: ["a", "b"])
    let happening = kept(lock, .exclusive, awaits: [Frame(address: 20), Frame(address: 30)])
    #expect(found(happening) == [expected])
    #expect(found(happening, without: [.lockAcrossSuspension]) == [])
  }

  @Test func theAwaitIsNotKnown() {
    let lock = SharedObject.readWriteLock(1)
    let role = "holds read-write lock L1 for reading when its task leaves the thread"
    let participants = found(kept(lock, .shared, awaits: [])).flatMap(\.participants)
    #expect(participants.map(\.role) == [role])
    #expect(participants.map(\.frames) == [[Frame(address: 10)]])
  }

  private func frame(_ function: String?, _ line: Int, isSystem: Bool = false) -> Frame {
    Frame(address: 1, function: function, file: "a.swift", line: line, isSystem: isSystem)
  }

  private func finding(awaits: Backtrace, taken: Backtrace) -> Finding {
    let lock = SharedObject.mutex(1, created: [5])
    return Finding(
      kind: .lockAcrossSuspension, status: .observed, severity: .error, title: "",
      participants: [
        Finding.Participant(
          thread: ThreadID(3), role: "", frames: awaits,
          holds: [Finding.HeldObject(object: lock.id, frames: taken)])
      ], objects: [lock])
  }

  /// The function that holds the lock is told, not what it awaits; also if a helper took the lock.
  @Test func theHolderIsToldAndNotWhatItAwaits() {
    let awaits = [
      frame("fetch()", 1), frame("load()", 2), frame("refresh()", 3), frame("main()", 4),
    ]
    for taken in [[frame("refresh()", 9)], [frame("begin()", 8), frame("refresh()", 9)]] {
      let told = SuspensionMisuse.seenFromHolder(finding(awaits: awaits, taken: taken))
      #expect(told == finding(awaits: Array(awaits.suffix(2)), taken: taken))
    }
  }

  @Test func aHolderThatIsNotOnTheStackChangesNothing() {
    let awaits = [frame("fetch()", 1), frame(nil, 2), frame("swift_task()", 3, isSystem: true)]
    for taken in [
      [frame("other()", 9)], [frame(nil, 2)], [frame("swift_task()", 3, isSystem: true)],
    ] {
      let whole = finding(awaits: awaits, taken: taken)
      #expect(SuspensionMisuse.seenFromHolder(whole) == whole)
    }
  }
}
