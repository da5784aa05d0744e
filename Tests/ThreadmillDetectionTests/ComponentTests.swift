import Testing
import ThreadmillDetection
import ThreadmillModel

/// The order of components, which a wrong word about a lock would only show much later.
/// `_checkInvariants()` compares it with the edges and with Tarjan's components after every
/// operation.
@Suite struct ComponentTests {
  @Test func orderSurvivesRandomEdgesAndRemovals() {
    for seed in 1...60 as ClosedRange<UInt64> {
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
        graph._checkInvariants()
      }
      for lock in live { graph.retire(lock) }
      #expect(graph.liveEntries == 0, "seed \(seed)")
    }
  }

  /// Each round shares the place of a ring among what is left of it, which makes the places
  /// narrower.
  @Test func ringsThatBreakAndCloseAgain() {
    var graph = LockOrderGraph()
    var locks = (0..<256).map { LockID($0) }
    var time: UInt32 = 0
    for lock in locks { graph.declare(SharedObject(id: lock, kind: .mutex)) }
    for _ in 0..<8 {
      for (held, wanted) in zip(locks, locks.dropFirst() + locks.prefix(1)) {
        time += 1
        _ = graph.nested(.simple(strand: 1, time: time, held, wanted))
      }
      graph._checkInvariants()
      graph.retire(locks.removeLast())
    }
    time += 1
    let first = locks.removeFirst()
    #expect(graph.nested(.simple(strand: 2, time: 1, locks[0], first)).cycles == [[0, 1]])
    graph._checkInvariants()
  }
}
