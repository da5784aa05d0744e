import Testing
import ThreadmillDetection
import ThreadmillModel

/// The order of components, which a wrong word about a lock would only show much later.
/// `checkInvariants()` compares it with the edges and with Tarjan's components after every
/// operation.
@Suite struct ComponentTests {
  @Test func orderSurvivesRandomEdgesAndRemovals() {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var graph = LockOrderGraph()
      var live: [LockID] = []
      for step in 1...150 as ClosedRange<UInt64> {
        if live.count < 3 || random.chance(12) {
          live.append(LockID(step))
          graph.declare(SharedObject(id: LockID(step), kind: .mutex))
        } else if random.chance(8) {
          graph.retire(live.remove(at: random.below(live.count)))
        } else {
          let pair = live.shuffled(using: &random)
          _ = graph.nested(.simple(strand: 1, time: UInt32(step), pair[0], pair[1]))
        }
        graph.checkInvariants()
      }
      for lock in live { graph.retire(lock) }
      #expect(graph.liveEntries == 0, "seed \(seed)")
    }
  }

  @Test func aBrokenRingFallsApart() {
    var graph = LockOrderGraph()
    let locks = (0..<64).map { LockID($0) }
    for lock in locks { graph.declare(SharedObject(id: lock, kind: .mutex)) }
    close(locks, round: 1, in: &graph)
    #expect(graph.largestComponent == 64)
    for lock in locks[32..<48] { graph.retire(lock) }
    _ = graph.nested(.simple(strand: 1, time: 1_000, locks[0], locks[2]))
    #expect(graph.largestComponent == 1)
    graph.checkInvariants()
  }

  /// Each round shares the place of a ring among what is left of it, until no place can be shared.
  @Test func ringsThatBreakAndCloseAgain() {
    var graph = LockOrderGraph()
    var locks = (0..<256).map { LockID($0) }
    for lock in locks { graph.declare(SharedObject(id: lock, kind: .mutex)) }
    for round in 1...8 as ClosedRange<UInt32> {
      close(locks, round: round, in: &graph)
      graph.checkInvariants()
      #expect(graph.largestComponent == locks.count)
      for lock in locks.suffix(locks.count / 4 + 1) { graph.retire(lock) }
      locks.removeLast(locks.count / 4 + 1)
      _ = graph.nested(.simple(strand: 1, time: 1_000 * round + 999, locks[0], locks[2]))
      #expect(graph.largestComponent == 1)
    }
    let back = graph.nested(.simple(strand: 2, time: 1, locks[1], locks[0]))
    #expect(back.cycles == [[0, 1]])
    graph.checkInvariants()
  }

  /// Nests each lock in the one before it, and the first in the last, by one strand.
  private func close(_ locks: [LockID], round: UInt32, in graph: inout LockOrderGraph) {
    for (index, lock) in locks.enumerated() {
      let next = locks[(index + 1) % locks.count]
      _ = graph.nested(.simple(strand: 1, time: 1_000 * round + UInt32(index), lock, next))
    }
  }
}
