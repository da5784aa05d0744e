import Testing
import ThreadmillDetection
import ThreadmillModel

/// What is left when a lock goes, or turns out to be none.
@Suite struct LifetimeTests {
  @Test func reusedAddressIsAnotherLock() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    scene.graph.retire(LockID(2))
    #expect(scene.strand(2, holds: [.lock(3)], takes: .lock(1)) == [])
    #expect(scene.graph.filtered == [])
  }

  @Test func retiredLockBreaksALongerCycle() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    _ = scene.strand(2, holds: [.lock(2)], takes: .lock(3))
    scene.graph.retire(LockID(2))
    #expect(scene.strand(3, holds: [.lock(3)], takes: .lock(1)) == [])
  }

  @Test func whatRemainsOfACycleIsStillThere() {
    var scene = Scene(mutexes: 4)
    for (time, pair) in [(1, 2), (2, 3), (3, 1), (3, 4), (4, 3)].enumerated() {
      _ = scene.strand(
        1, time: UInt32(time + 1), holds: [.lock(UInt64(pair.0))], takes: .lock(UInt64(pair.1)))
    }
    scene.graph.retire(LockID(1))
    scene.graph.checkInvariants()
    #expect(scene.strand(2, holds: [.lock(4)], takes: .lock(3)).cycles == [[3, 4]])
    #expect(scene.strand(3, holds: [.lock(3)], takes: .lock(2)).cycles == [[2, 3]])
  }

  @Test func retiredLocksLeaveNothing() {
    var graph = LockOrderGraph()
    var peak = 0
    for round in 0..<10_000 as Range<UInt64> {
      let (a, b) = (LockID(2 * round), LockID(2 * round + 1))
      graph.declare(SharedObject(id: a, kind: .mutex))
      graph.declare(SharedObject(id: b, kind: .semaphore))
      _ = graph.nested(.simple(strand: 1, time: UInt32(round), a, b))
      _ = graph.nested(.simple(strand: 1, time: UInt32(round), b, a))
      peak = max(peak, graph.reservedEntries)
      if round % 2 == 0 { graph.disqualify(b) }
      graph.retire(a)
      graph.retire(b)
      #expect(graph.liveEntries == 0)
    }
    #expect(graph.reservedEntries <= peak)
    #expect(peak < 1_000)
    graph.checkInvariants()
  }

  @Test func storageOfManyIsGivenBack() {
    var graph = LockOrderGraph()
    let hub = LockID(0)
    graph.declare(SharedObject(id: hub, kind: .mutex))
    for id in 1...20_000 as ClosedRange<UInt64> {
      graph.declare(SharedObject(id: LockID(id), kind: .mutex))
      _ = graph.nested(.simple(strand: 1, time: UInt32(id), hub, LockID(id)))
    }
    #expect(graph.reservedEntries > 60_000)
    for id in 1...20_000 as ClosedRange<UInt64> { graph.retire(LockID(id)) }
    #expect(graph.liveEntries == 1 + 1 + 1)
    #expect(graph.reservedEntries < 6_000)
    graph.checkInvariants()
  }

  // MARK: Not a lock

  @Test func disqualifiedSemaphoreIsOnNoCycle() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    #expect(scene.graph.disqualify(LockID(2)) == .init())
    #expect(scene.strand(2, holds: [.lock(2)], takes: .lock(1)) == [])
    #expect(scene.strand(3, holds: [.lock(1)], takes: .lock(2)) == [])
    #expect(scene.graph.filtered == [])
  }

  @Test func disqualifiedSemaphoreTakesItsFindingsBack() {
    var scene = Scene(mutexes: 2)
    _ = scene.strand(1, holds: [.lock(1)], takes: .lock(2))
    var finding = scene.strand(2, holds: [.lock(2)], takes: .lock(1)).findings[0]
    finding.status = .filtered
    finding.reason = "mutex L2 is not used as a lock"
    let result = scene.graph.disqualify(LockID(2))
    #expect(result.withdrawn == [finding])
    #expect(result.verdicts == [])
    #expect(scene.graph.filtered == [finding])
  }

  @Test func whatLookedLikeAGateWasNone() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3), .lock(1)], takes: .lock(2))
    #expect(scene.strand(2, holds: [.lock(3), .lock(2)], takes: .lock(1)) == [])
    let result = scene.graph.disqualify(LockID(3))
    scene.graph.checkInvariants()
    #expect(result.withdrawn == [])
    #expect(result.verdicts.cycles == [[1, 2]])
    #expect(scene.graph.filtered == [])
    #expect(scene.graph.disqualify(LockID(3)) == .init())
  }

  @Test func disqualifiedGateGuardsNothingLater() {
    var scene = Scene(mutexes: 3)
    _ = scene.strand(1, holds: [.lock(3), .lock(1)], takes: .lock(2))
    scene.graph.disqualify(LockID(3))
    #expect(scene.strand(2, holds: [.lock(3), .lock(2)], takes: .lock(1)).cycles == [[1, 2]])
  }
}
