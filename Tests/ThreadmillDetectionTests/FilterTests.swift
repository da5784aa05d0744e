import Testing
import ThreadmillDetection
import ThreadmillModel

/// Why a cycle is no finding. Each test differs in one thing from one that finds the cycle.
@Suite struct FilterTests {
  // MARK: One thread

  @Test func oneThreadOnly() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    let verdicts = scene.strand(1, time: 2, holds: [.lock(2)], takes: .lock(1))
    #expect(verdicts.watched == [[1, 2]])
    #expect(verdicts.findings == [])
    #expect(scene.graph.reasons == ["one thread only"])
    let filtered = scene.graph.filtered.first
    #expect(filtered?.kind == .lockOrderCycle)
    #expect(filtered?.status == .filtered)
    #expect(filtered?.title == "Lock order cycle: mutex L1 → mutex L2 → mutex L1")
    #expect(filtered?.participants.map(\.thread.rawValue) == [1, 1])

    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(1)).cycles == [[1, 2]])
    #expect(scene.graph.filtered == [])
  }

  /// A test that runs on the main queue takes both orders there: that is noted. It is not if the
  /// test holds a lock as well, nor where a program does so.
  @Test(
    arguments: [
      ([], ["test"], "the main thread only"), ([.lock(3)], ["test"], "common gate lock: mutex L3"),
      ([], [], "common gate lock: mutex L4"),
    ] as [([Hold], [String], String)])
  func theMainThreadOnly(under locks: [Hold], in tests: [String], reason: String) {
    var scene = Scene(mutexes: 4)
    let held = [Hold(lock: 4, isMainQueue: true)] + locks
    _ = scene.strand(1, holds: held + [.lock(1)], takes: .lock(2), tests: tests)
    let verdicts = scene.strand(
      1, time: 2, holds: held + [.lock(2)], takes: .lock(1), tests: tests)
    #expect(verdicts.findings == [])
    #expect(verdicts.watched == [])
    #expect(scene.graph.reasons == [reason])
    let isNoted = reason == "the main thread only"
    #expect(
      verdicts.notes.map(\.title)
        == (isNoted ? ["Lock order cycle in one thread: mutex L1 → mutex L2 → mutex L1"] : []))
  }

  @Test func ringNeedsAThreadForEachStep() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(2)], takes: .lock(3))
    #expect(scene.strand(1, time: 2, holds: [.lock(3)], takes: .lock(1)) == [.watch([1, 2, 3])])
    #expect(scene.graph.reasons == ["one thread only"])
    #expect(scene.strand(3, holds: [.lock(3)], takes: .lock(1)).cycles == [[1, 2, 3]])
  }

  @Test func twoStrandsOfOneThreadAreTwo() {
    var graph = Scene(mutexes: 2).graph
    for (strand, held, wanted) in [(1, 1, 2), (2, 2, 1)] as [(UInt64, UInt64, UInt64)] {
      let moment = Moment(strand: StrandID(strand), slot: Int(strand), time: 1, knowledge: [])
      let verdicts = graph.nested(
        NestedAcquisition(
          thread: ThreadID(7), moment: moment, held: [.lock(held)], wanted: .lock(wanted)))
      #expect(verdicts.cycles == (strand == 1 ? [] : [[1, 2]]))
    }
  }

  // MARK: Gate locks

  @Test func gateLock() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3), .lock(1)], takes: .lock(2))
    #expect(scene.strand(2, holds: [.lock(3), .lock(2)], takes: .lock(1)) == [])
    #expect(scene.graph.reasons == ["common gate lock: mutex L3"])
    #expect(scene.strand(3, holds: [.lock(2)], takes: .lock(1)).cycles == [[1, 2]])
    #expect(scene.graph.filtered == [])
  }

  @Test(arguments: [
    (one: HoldMode.shared, other: HoldMode.shared, isGate: false),
    (one: .shared, other: .exclusive, isGate: true),
    (one: .exclusive, other: .shared, isGate: true),
  ])
  func readersOfAGateCanMeet(one: HoldMode, other: HoldMode, isGate: Bool) {
    var scene = Scene([.mutex(1), .mutex(2), .readWriteLock(3)])
    _ = scene.strand(1, holds: [.lock(3, one), .lock(1)], takes: .lock(2))
    let verdicts = scene.strand(2, holds: [.lock(3, other), .lock(2)], takes: .lock(1))
    #expect(verdicts.cycles == (isGate ? [] : [[1, 2]]))
    #expect(scene.graph.reasons == (isGate ? ["common gate lock: read-write lock L3"] : []))
  }

  @Test func lockOfTheCycleThatBothHoldIsAGate() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1), .lock(2)], takes: .lock(3))
    _ = scene.strand(2, holds: [.lock(3)], takes: .lock(2))
    let verdicts = scene.strand(3, holds: [.lock(2)], takes: .lock(1))
    #expect(verdicts.cycles == [])
    #expect(scene.graph.reasons == ["common gate lock: mutex L2"])
  }

  @Test func gateStaysAGateAfterItsEnd() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3), .lock(1)], takes: .lock(2))
    scene.graph.retire(LockID(3))
    #expect(scene.strand(2, holds: [.lock(3), .lock(2)], takes: .lock(1)) == [])
    #expect(scene.graph.reasons == ["common gate lock: lock L3"])
  }

  // MARK: Happens-before

  @Test func orderedByJoin() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, time: 5, holds: [.lock(1)], takes: .lock(2))
    let joined = scene.strand(2, knows: [1: 5], holds: [.lock(2)], takes: .lock(1))
    #expect(joined == [.watch([1, 2])])
    #expect(
      scene.graph.reasons == ["ordered by fork, join, wait or queue: T1 always comes before T2"])
  }

  @Test func orderedTheOtherWayRound() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, knows: [2: 3], holds: [.lock(1)], takes: .lock(2))
    #expect(
      scene.strand(2, time: 3, holds: [.lock(2)], takes: .lock(1)) == [.watch([1, 2])])
    #expect(
      scene.graph.reasons == ["ordered by fork, join, wait or queue: T2 always comes before T1"])
  }

  @Test func knowingLessThanTheAcquisitionOrdersNothing() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, time: 5, holds: [.lock(1)], takes: .lock(2))
    let verdicts = scene.strand(2, knows: [1: 4], holds: [.lock(2)], takes: .lock(1))
    #expect(verdicts.cycles == [[1, 2]])
  }

  @Test func laterAcquisitionOfAKnownContextIsFound() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, time: 1, holds: [.lock(1)], takes: .lock(2))
    #expect(scene.strand(2, knows: [1: 1], holds: [.lock(2)], takes: .lock(1)).cycles == [])
    #expect(scene.strand(1, time: 2, holds: [.lock(1)], takes: .lock(2)).cycles == [[1, 2]])
  }

  @Test func earlierAcquisitionThatKnewLessIsKept() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(2)], takes: .lock(3))
    _ = scene.strand(1, time: 2, knows: [2: 1], holds: [.lock(1)], takes: .lock(2))
    #expect(scene.strand(3, holds: [.lock(3)], takes: .lock(1)).cycles == [[1, 2, 3]])
  }

  @Test func anyChoiceOfAcquisitionsIsEnough() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3), .lock(1)], takes: .lock(2))
    _ = scene.strand(4, holds: [.lock(1)], takes: .lock(2))
    let verdicts = scene.strand(
      2, knows: [4: 1], holds: [.lock(3), .lock(2)], takes: .lock(1))
    #expect(verdicts == [.watch([1, 2])])
    #expect(scene.strand(5, holds: [.lock(1)], takes: .lock(2)).cycles == [[1, 2]])
  }

  // MARK: Limits

  @Test func watchesAreBounded() {
    var limits = LockOrderLimits()
    limits.watchesPerCandidate = 3
    var scene = Scene(mutexes: 2, limits: limits)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    let watched = (2...6).map { time in
      scene.strand(1, time: time, holds: [.lock(2)], takes: .lock(1)).watched
    }
    #expect(watched == [[[1, 2]], [[1, 2]], [[1, 2]], [], []])
    #expect(scene.graph.accounting == ["lockWatchesExhausted": 2, "lockCyclesOfOneThread": 1])
  }

  @Test func theDefaultIs64Watches() {
    #expect(LockOrderLimits().watchesPerCandidate == 64)
  }

  @Test func nothingNewIsNotWatchedAgain() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    #expect(scene.strand(1, time: 2, holds: [.lock(2)], takes: .lock(1)).watched == [[1, 2]])
    #expect(scene.strand(1, time: 2, holds: [.lock(2)], takes: .lock(1)) == [])
  }

  @Test func filteredFindingsBeyondTheLimitAreCounted() {
    var limits = LockOrderLimits()
    limits.filteredFindings = 1
    var scene = Scene(mutexes: 4, limits: limits)
    for (time, pair) in [(1, 2), (2, 1), (3, 4), (4, 3)].enumerated() {
      _ = scene.strand(
        1, time: UInt32(time + 1), holds: [.lock(UInt64(pair.0))], takes: .lock(UInt64(pair.1)))
    }
    #expect(scene.graph.filtered.map { $0.objects.map(\.id.rawValue) } == [[1, 2]])
    #expect(scene.graph.accounting == ["lockFilteredNotKept": 1, "lockCyclesOfOneThread": 2])
  }

  @Test func acquisitionsBeyondTheLimitAreCountedAndStillLookedAt() {
    var limits = LockOrderLimits()
    limits.dependenciesPerEdge = 2
    var scene = Scene(mutexes: 2, limits: limits)
    for strand in 1...3 { _ = scene.strand(strand, holds: [.lock(1)], takes: .lock(2)) }
    #expect(scene.graph.accounting == ["lockDependenciesForgotten": 1])
    #expect(scene.strand(3, time: 2, holds: [.lock(2)], takes: .lock(1)).cycles == [[1, 2]])
  }

  @Test func noStrandPushesAllOthersOut() {
    var limits = LockOrderLimits()
    limits.dependenciesPerEdge = 2
    var scene = Scene(mutexes: 2, limits: limits)
    _ = scene.strand(2, holds: [.lock(1)], takes: .lock(2))
    for time in 1...5 as ClosedRange<UInt32> {
      _ = scene.strand(1, time: time, knows: [0: time], holds: [.lock(1)], takes: .lock(2))
    }
    #expect(scene.strand(1, time: 6, holds: [.lock(2)], takes: .lock(1)).cycles == [[1, 2]])
  }
}

extension LockOrderGraph {
  fileprivate var reasons: [String] { filtered.compactMap(\.reason) }
}

extension LockID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt64) { self.init(value) }
}
