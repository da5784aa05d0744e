import Testing
import ThreadmillDetection
import ThreadmillModel

/// Findings about blocked threads of a thread pool.
@Suite struct PoolStarvationTests {
  private static let semaphore = SharedObject(id: LockID(1), kind: .semaphore)

  private func blocked(_ thread: UInt32, at place: UInt64 = 40) -> ThreadSnapshot {
    ThreadSnapshot(
      thread: ThreadID(thread), held: [], waitsFor: .lock(1), stack: [Frame(address: place)],
      tests: ["a"])
  }

  private func starved(_ starvation: Starvation, without: Set<Finding.Kind> = []) -> [Finding] {
    Detectors(without: without).starved(starvation) { _ in Self.semaphore }
  }

  @Test func allThreadsForTasks() {
    let starvation = Starvation(
      pool: .cooperative, threads: [blocked(2), blocked(3, at: 50)], waiting: 1)
    let expected = Finding(
      kind: .poolStarvation, status: .observed, severity: .error,
      title: "Starved pool: all 2 threads for tasks are blocked, and tasks wait for one",
      participants: [(2, 40), (3, 50)].map { thread, place in
        Finding.Participant(
          thread: ThreadID(thread), role: "waits for semaphore L1",
          frames: [Frame(address: place)], wants: LockID(1))
      },
      objects: [Self.semaphore], facts: [.init("1 job has not begun, for want of a thread")],
      tests: ["a"])
    #expect(starved(starvation) == [expected])
    #expect(starved(starvation, without: [.poolStarvation]) == [])
  }

  @Test func aCrowdIsCut() {
    let starvation = Starvation(
      pool: .dispatch, threads: (1...9).map { blocked($0) }, leftOut: 2, waiting: 7)
    let findings = starved(starvation)
    #expect(
      findings.map(\.title) == [
        "Thread explosion: all 11 threads of a libdispatch pool are blocked, and blocks wait for one"
      ])
    #expect(findings.flatMap(\.participants).map(\.thread.rawValue) == [1, 2, 3])
    #expect(
      findings.flatMap(\.facts).map(\.text) == [
        "8 more threads are blocked like these", "7 blocks have not begun, for want of a thread",
      ])
  }

  @Test func oneTaskBlocks() {
    var detectors = Detectors(without: [])
    let waits = Happening.jobBlocked(
      .init(thread: blocked(2), awaited: .object(Self.semaphore)))
    let found = detectors.happened(waits)
    #expect(found.map(\.severity) == [.warning])
    #expect(
      found.map(\.title) == ["Blocked task: a thread for tasks waits for semaphore L1 in a task"])
    let sleeps = Happening.jobSleeps(.init(thread: blocked(2), milliseconds: 300))
    #expect(
      detectors.happened(sleeps).map(\.title) == [
        "Blocked task: a thread for tasks sleeps in a task, for 300 ms"
      ])
    var others = Detectors(without: [.poolStarvation])
    #expect(others.happened(waits) + others.happened(sleeps) == [])
  }

  @Test(
    arguments: [
      (ThreadID(7), "waits for the end of thread T7 in a task"),
      (nil, "waits for the end of a thread in a task"),
    ] as [(ThreadID?, String)])
  func oneTaskJoins(_ joined: ThreadID?, words: String) {
    var detectors = Detectors(without: [])
    let found = detectors.happened(
      .jobBlocked(.init(thread: blocked(2), awaited: .endOfThread(joined))))
    #expect(found.map(\.title) == ["Blocked task: a thread for tasks \(words)"])
    #expect(found.map(\.objects) == [[]])
  }
}
