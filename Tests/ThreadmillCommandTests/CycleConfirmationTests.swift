import Testing
import ThreadmillModel

@testable import ThreadmillCommand

/// Potential lock order cycles of a test, after explorations of the test.
@Suite struct CycleConfirmationTests {
  /// A lock: its number in one process, and what it is in every process.
  private struct Lock {
    var number: UInt64
    var kind = SharedObject.Kind.mutex
    var label: String?
    var created = 1

    init(
      _ number: UInt64, _ kind: SharedObject.Kind = .mutex, label: String? = nil, created: Int = 1
    ) {
      (self.number, self.kind, self.label, self.created) = (number, kind, label, created)
    }
  }

  private static let test = "Bank.transfers()"
  private static let schedule = "tm1:DACBBAAAAAAwjQRBZBh"

  /// Code lies at other addresses in each process.
  private func frames(_ line: Int?, _ process: UInt64) -> Backtrace {
    guard let line else { return [] }
    let system = Frame(address: process, function: "lock", image: "libc.so", isSystem: true)
    let own = Frame(address: process &+ 8, function: "transfer", file: "/Bank.swift", line: line)
    return [system, own]
  }

  /// Each thread holds one lock, and waits for the next one; lines tell places apart.
  private func circle(
    _ kind: Finding.Kind, _ status: Finding.Status, _ locks: [Lock], taken: [Int?] = [10, 20],
    waiting: [Int?] = [11, 21], process: UInt64 = 1
  ) -> Finding {
    let participants = locks.indices.map { index in
      Finding.Participant(
        thread: ThreadID(UInt32(index) + UInt32(process)), role: "waits",
        frames: frames(waiting[index], process),
        holds: [
          .init(object: LockID(locks[index].number), frames: frames(taken[index], process))
        ], wants: LockID(locks[(index + 1) % locks.count].number))
    }
    let objects = locks.map {
      SharedObject(
        id: LockID($0.number), kind: $0.kind, label: $0.label,
        created: frames($0.created, process))
    }
    return Finding(
      kind: kind, status: status, title: "\(kind)", participants: participants, objects: objects,
      tests: [Self.test])
  }

  private var cycle: Finding {
    circle(.lockOrderCycle, .potential, [Lock(1, created: 1), Lock(2, created: 2)])
  }

  /// A deadlock of the same threads in another process.
  private func deadlock(
    _ locks: [Lock] = [Lock(8, created: 1), Lock(9, created: 2)], taken: [Int?] = [10, 20],
    waiting: [Int?] = [11, 21], kind: Finding.Kind = .deadlock
  ) -> Finding {
    var finding = circle(
      kind, .observed, locks, taken: taken, waiting: waiting, process: 0x7000)
    (finding.schedule, finding.seed) = (Self.schedule, 1)
    finding.facts = [.init(schedule: 3), .init("it was not the same when it was run again")]
    return finding
  }

  // MARK: Deadlocks of other processes

  @Test func aDeadlockIsKnownByPlacesAndLocks() throws {
    let same = deadlock()
    #expect(cycle.threads(of: same) == same.participants)
    let turned = deadlock(
      [Lock(9, created: 2), Lock(8, created: 1)], taken: [20, 10], waiting: [21, 11])
    #expect(cycle.threads(of: turned) == [turned.participants[1], turned.participants[0]])
    // Not every thread has a stack of where it waits.
    let bare = deadlock(waiting: [nil, 21])
    #expect(cycle.threads(of: bare) == bare.participants)
  }

  @Test func anotherDeadlockIsAnother() {
    let others = [
      deadlock(taken: [10, 30]), deadlock(taken: [nil, 20]), deadlock(waiting: [11, 31]),
      deadlock([Lock(8, created: 1), Lock(9, created: 7)]),
      deadlock([Lock(8, created: 1), Lock(9, .semaphore, created: 2)]),
      deadlock([Lock(8, created: 1), Lock(9, label: "bank", created: 2)]),
      deadlock(
        [Lock(8, created: 1), Lock(9, created: 2), Lock(7, created: 3)], taken: [10, 20, 5],
        waiting: [11, 21, 6]),
      deadlock(kind: .hang), circle(.deadlock, .filtered, [Lock(1), Lock(2)]),
      Finding(kind: .deadlock, status: .observed, title: "nobody"),
    ]
    for other in others { #expect(cycle.threads(of: other) == nil, "\(other)") }
  }

  /// Without a place, nothing says that it is the same one.
  @Test func aDeadlockWithoutPlacesIsNone() {
    var placeless = cycle
    for index in placeless.participants.indices {
      placeless.participants[index].frames = []
      placeless.participants[index].holds[0].frames = []
    }
    #expect(placeless.threads(of: deadlock(taken: [nil, nil], waiting: [nil, nil])) == nil)
    #expect(cycle.threads(of: deadlock(taken: [nil, nil], waiting: [nil, nil])) == nil)
  }

  /// The names of a schedule's objects become those of the cycle, and no two of them one.
  @Test func itsStoryHasTheCyclesNames() {
    func story(_ objects: [String]) -> ScheduleStory {
      let steps = objects.enumerated().map { number, object in
        ScheduleStory.Step(number: number + 1, column: 0, .lock, object: object)
      }
      return ScheduleStory(
        columns: ["body"], steps: steps, total: steps.count,
        waits: steps.map { ScheduleStory.Wait($0, holder: 0) }, schedule: "tm1:A")
    }
    let told = story(["mutex L4", "mutex L7", "mutex L1", "mutex L9", "group L5"])
    let named = told.named(as: ["mutex L4": "mutex L1", "mutex L7": "mutex L4"])
    #expect(named == story(["mutex L1", "mutex L4", "mutex L7", "mutex L9", "group L5"]))
    #expect(told.named(as: [:]) == told)
  }

  // MARK: Explorations

  private func report(
    _ findings: [Finding], schedules: Int = 1, isComplete: Bool = false, unexplored: String? = nil
  ) -> Report {
    let explored = ExploredTest(
      Self.test, ExplorationCoverage(schedules: schedules), isComplete: isComplete)
    return Report(
      findings: findings, run: .init(id: ""),
      tests: [TestResult(Self.test, .failed, unexplored: unexplored)],
      explorations: schedules == 0 ? [] : [explored])
  }

  /// An exploration is led to the lines of the first cycle that was not reached, until one cannot
  /// be led there.
  @Test func explorationsAreLedToTheSecondLocks() {
    let other = circle(
      .lockOrderCycle, .potential, [Lock(1, created: 1), Lock(2, created: 2)], waiting: [31, 31])
    var confirmation = CycleConfirmation(of: Self.test, [cycle, other])
    #expect(confirmation.lines.map(\.description) == ["/Bank.swift:11", "/Bank.swift:21"])
    let isNews = confirmation.take(report([deadlock()]))
    #expect(isNews)
    #expect(confirmation.lines.map(\.description) == ["/Bank.swift:31"])
    let refused = report(
      [], schedules: 0, unexplored: "it cannot be led to /Bank.swift:31: no code there")
    let answers = (0..<2).map { _ in confirmation.take(refused) }
    #expect(answers == [true, false] && confirmation.lines == [])
    let bare = circle(
      .lockOrderCycle, .potential, [Lock(1, created: 1), Lock(2, created: 2)], waiting: [11, nil])
    #expect(CycleConfirmation(of: Self.test, [bare]).lines == [])
  }

  @Test func aReachedCycleIsConfirmedWithTheSchedule() throws {
    var confirmation = CycleConfirmation(of: Self.test, [cycle])
    // The process has seen the cycle as well, and that is no deadlock.
    let goesOn = confirmation.take(report([cycle, deadlock()], schedules: 3))
    #expect(!goesOn)
    let confirmed = try #require(confirmation.settled.first)
    #expect(confirmed.status == .confirmed && confirmed.fingerprint == cycle.fingerprint)
    #expect(confirmed.schedule == Self.schedule && confirmed.seed == 1)
    #expect(confirmed.confirmation?.tries == 3 && confirmed.confirmation?.test == Self.test)
    #expect(confirmed.confirmation?.deadlock.map(\.wants) == cycle.participants.map(\.wants))
    #expect(
      confirmed.facts.map(\.text) == [
        "schedule 3 of Bank.transfers() reaches this deadlock",
        "it was not the same when it was run again",
      ])
    #expect(confirmation.settled.count == 1 && confirmation.others.isEmpty)
  }

  @Test(arguments: [
    (1_000, false, nil, "1000 schedules of Bank.transfers() did not reach this deadlock"),
    (1, false, nil, "1 schedule of Bank.transfers() did not reach this deadlock"),
    (
      14, true, nil,
      "all 14 schedules of Bank.transfers() were tried, and none reached this deadlock"
    ),
    (0, false, "it is skipped", "Bank.transfers() was not explored: it is skipped"),
    (0, false, nil, "Bank.transfers() was not explored: its process ended early"),
  ])
  func aCycleThatIsNotReachedSaysSo(
    schedules: Int, isComplete: Bool, unexplored: String?, fact: String
  ) {
    var confirmation = CycleConfirmation(of: Self.test, [cycle])
    let explored = report(
      [cycle], schedules: schedules, isComplete: isComplete, unexplored: unexplored)
    let goesOn = confirmation.take(explored)
    #expect(!goesOn)
    var expected = cycle
    expected.facts = [.init(fact)]
    #expect(confirmation.settled == [expected])
    #expect(confirmation.others.isEmpty)
  }

  /// A failure hides what comes behind it: the test is explored again, as long as there is news.
  @Test func anotherFailureIsKeptAndLookedBehind() {
    let lost = deadlock(taken: [40, 50], waiting: [41, 51])
    var confirmation = CycleConfirmation(of: Self.test, [cycle])
    let goesOn = confirmation.take(report([lost], schedules: 5))
    #expect(goesOn)
    var reached = confirmation
    let reachedGoesOn = reached.take(report([deadlock()], schedules: 2))
    #expect(!reachedGoesOn)
    #expect(reached.settled.map(\.status) == [.confirmed])
    #expect(reached.settled.map { $0.confirmation?.tries } == [7])
    #expect(reached.others == [lost])
    let knownGoesOn = confirmation.take(report([lost], schedules: 2))
    #expect(!knownGoesOn)
    #expect(
      confirmation.settled.flatMap(\.facts).map(\.text) == [
        "7 schedules of Bank.transfers() did not reach this deadlock; the last one ended in"
          + " another failure"
      ])
    #expect(confirmation.others == [lost])
  }

  @Test func twoCyclesOfATestAreTriedOneBehindTheOther() {
    let second = circle(
      .lockOrderCycle, .potential, [Lock(1, created: 1), Lock(2, created: 2)], taken: [60, 70],
      waiting: [61, 71])
    var confirmation = CycleConfirmation(of: Self.test, [cycle, second])
    let goesOn = confirmation.take(report([deadlock()]))
    #expect(goesOn)
    let repeatGoesOn = confirmation.take(report([deadlock()]))
    #expect(!repeatGoesOn)
    #expect(confirmation.settled.map(\.status) == [.confirmed, .potential])
    #expect(confirmation.others.isEmpty)
  }

  @Test func thereIsAnEndToIt() {
    var confirmation = CycleConfirmation(of: Self.test, [cycle])
    let goesOn = (0..<CycleConfirmation.most).map { number in
      var other = deadlock()
      other.participants[0].frames[1].function = "other\(number)"
      return confirmation.take(report([other]))
    }
    #expect(goesOn.last == false && goesOn.dropLast().allSatisfy { $0 })
    #expect(confirmation.others.count == CycleConfirmation.most)
  }

  @Test func onlyWhatAccusesIsTriedOut() {
    #expect(cycle.isOpenCycle)
    var others = Array(repeating: cycle, count: 5)
    others[0].severity = .warning
    others[1].status = .confirmed
    others[2].judgement = .known
    others[3].isSingleThreaded = true
    others[4].kind = .deadlock
    for other in others { #expect(!other.isOpenCycle) }
  }
}
