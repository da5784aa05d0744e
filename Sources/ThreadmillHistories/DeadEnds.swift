import ThreadmillModel

/// Where the orders of a history that nothing explains come to an end.
package struct DeadEnd: Hashable, Sendable {
  /// The calls that can be explained, in order, by their indices.
  package var order: [Int]
  /// The call that cannot come next: with this answer, it did what the model does not do there.
  package var call: Int
  /// What the model does there; empty if the call would wait for ever.
  package var expected: [Int]
}

extension OrderSearch {
  /// The dead ends of all orders, the longest orders first; so many at most.
  package static func deadEnds(
    of history: History, _ consistency: Consistency, by model: inout Model, most: Int
  ) -> [DeadEnd] {
    var ends: [DeadEnd] = []
    let calls = history.calls
    let predecessors = consistency.predecessors(in: history)
    let all = calls.indices.filter { calls[$0].ended != nil }
    let mask = all.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    func go(_ placed: UInt64, _ order: [Int], _ state: Model.State, _ model: inout Model) {
      guard ends.count < mostLookedAt else { return }
      for call in placed == mask ? calls.indices.filter({ calls[$0].ended == nil }) : all {
        guard placed & 1 << UInt64(call) == 0, predecessors[call] & mask & ~placed == 0,
          let steps = model.steps(of: calls[call].operation, in: state)
        else { continue }
        if let step = steps.first(where: { $0.answer == calls[call].answer }) {
          go(placed | 1 << UInt64(call), order + [call], step.state, &model)
        } else if calls[call].ended != nil || !steps.isEmpty {
          ends.append(DeadEnd(order: order, call: call, expected: steps.map(\.answer)))
        }
      }
    }
    go(0, [], model.initial, &model)
    let longest = ends.enumerated().inOrder {
      ($1.element.order.count, $0.offset) < ($0.element.order.count, $1.offset)
    }
    return longest.prefix(most).map(\.element)
  }

  /// More dead ends are not looked at: nobody reads that many.
  private static var mostLookedAt: Int { 1_000 }
}
