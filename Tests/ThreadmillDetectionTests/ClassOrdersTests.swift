import Testing
import ThreadmillDetection
import ThreadmillModel

/// The orders of a run by class.
@Suite struct ClassOrdersTests {
  private let objects: [LockID: SharedObject] = [
    LockID(1): .mutex(1, created: [5]), LockID(2): .mutex(2, created: [5]),
    LockID(3): .mutex(3, created: [6]),
  ]

  private func nesting(_ held: [UInt64], _ wanted: UInt64) -> NestedAcquisition {
    NestedAcquisition(
      thread: ThreadID(1),
      moment: Moment(strand: StrandID(1), slot: 0, time: 1, knowledge: []),
      held: held.map { Hold(lock: LockID($0), site: [Frame(address: $0 + 100)]) },
      wanted: Hold(lock: LockID(wanted)), stack: [Frame(address: wanted + 200)])
  }

  private func orders(
    _ nestings: [NestedAcquisition], mostClasses: Int = 9, mostOrders: Int = 9
  ) -> ClassOrders {
    var orders = ClassOrders(mostClasses: mostClasses, mostOrders: mostOrders)
    for nesting in nestings {
      orders.nested(nesting) { objects[$0] ?? SharedObject(id: $0, kind: .spinLock) }
    }
    return orders
  }

  private func ends(_ graph: LockGraph) -> [[Int]] {
    graph.edges.map { [$0.from, $0.to, $0.count] }
  }

  @Test func instancesOfOneClassAreOne() {
    let graph = orders([nesting([1], 3), nesting([2, 1], 3), nesting([1], 2)]).graph
    #expect(graph.classes.map { $0.place.map(\.address) } == [[5], [6]])
    #expect(ends(graph) == [[0, 0, 1], [0, 1, 3]])
    #expect(graph.edges[1].place == [Frame(address: 203)])
  }

  @Test func aLockThatIsTakenAgainIsNoOrder() {
    #expect(ends(orders([nesting([1, 1], 1)]).graph) == [])
  }

  @Test func whatNobodyMadeIsKnownByItsFirstUse() {
    let graph = orders([nesting([8], 9)]).graph
    #expect(graph.classes.map(\.isFirstUse) == [true, true])
    #expect(Set(graph.classes.map(\.place)) == [[Frame(address: 108)], [Frame(address: 209)]])
  }

  @Test func whatIsNoLockMakesNoOrder() {
    var both = orders([nesting([1], 3), nesting([3], 8)])
    both.disqualify(LockID(2)) { objects[$0] }
    #expect(both.graph.edges.count == 1)
  }

  @Test func whatThereIsNoRoomForIsCounted() {
    let few = orders([nesting([1], 3), nesting([3], 1), nesting([1], 3)], mostOrders: 1)
    #expect(few.graph.edges.map(\.count) == [2])
    #expect(few.leftOut == 1)
    #expect(orders([nesting([1], 3)], mostClasses: 1).leftOut == 1)
  }
}
