import Testing
import ThreadmillDetection
import ThreadmillModel

/// A finding has, for each thread, the block or job that the thread runs.
@Suite struct ExecutionTests {
  private static let block = Execution(
    queues: [.init(id: LockID(8), kind: .serialQueue, label: "disk")], root: .utility,
    group: LockID(9))
  private static let job = Execution(
    root: .background, isPooled: true, job: .init(task: 7, priority: .background),
    actor: LockID(5))

  private static func thread(
    _ id: UInt32, _ runs: Execution?, holds: UInt64, waitsFor: UInt64, _ quality: Quality? = nil
  ) -> ThreadSnapshot {
    ThreadSnapshot(
      thread: ThreadID(id), held: [.lock(holds)], waitsFor: .lock(waitsFor), quality: quality,
      runs: runs)
  }

  @Test func inALockOrderCycle() {
    var graph = Scene(mutexes: 2).graph
    var verdicts: [LockOrderGraph.Verdict] = []
    for (strand, held, wanted, runs) in [
      (1, 1, 2, Self.block), (2, 2, 1, nil), (3, 2, 1, Self.job),
    ]
      as [(UInt64, UInt64, UInt64, Execution?)]
    {
      let moment = Moment(strand: StrandID(strand), slot: Int(strand), time: 1, knowledge: [])
      verdicts += graph.nested(
        NestedAcquisition(
          thread: ThreadID(UInt32(strand)), moment: moment, held: [.lock(held)],
          wanted: .lock(wanted), runs: runs))
    }
    let parts = verdicts.flatMap { verdict -> [Finding.Participant] in
      if case .finding(let finding) = verdict { return finding.participants }
      return []
    }
    #expect(parts.map(\.runs) == parts.map { $0.thread == ThreadID(1) ? Self.block : nil })
    #expect(Set(parts.map(\.thread)) == [ThreadID(1), ThreadID(2)])
  }

  @Test func inADeadlock() {
    let threads = [
      Self.thread(1, Self.block, holds: 1, waitsFor: 2),
      Self.thread(2, Self.job, holds: 2, waitsFor: 1),
    ]
    let finding = WaitForGraph.deadlock(among: threads, starting: ThreadID(1)) { id in
      SharedObject(id: id, kind: .mutex)
    }
    #expect(finding?.participants.map(\.runs) == [Self.block, Self.job])
  }

  @Test func inAnInversion() {
    var detectors = Detectors(without: [])
    let findings = detectors.happened(
      .priorityInverted(
        .init(
          thread: Self.thread(1, Self.block, holds: 3, waitsFor: 1, .utility), object: .mutex(1),
          nanoseconds: 1_000_000, isHarmful: true, othersPart: .hadObject,
          other: Self.thread(2, Self.job, holds: 1, waitsFor: 4, .background))))
    #expect(findings.first?.participants.map(\.runs) == [Self.block, Self.job])
  }

  /// The queues and jobs of a thread do not identify the mistake.
  @Test func isNoPartOfTheFingerprint() {
    let frames = [Frame(address: 1, function: "f()")]
    let fingerprints = [Self.block, Self.job, nil].map { runs in
      Finding(
        kind: .deadlock, status: .observed, title: "",
        participants: [.init(thread: ThreadID(1), role: "", frames: frames, runs: runs)]
      ).fingerprint
    }
    #expect(Set(fingerprints).count == 1)
  }
}
