import ThreadmillHistories

/// Every order of a history's calls, one after the other, each looked at from its beginning to its
/// end: shares nothing with the search, neither its order of trying nor its bits.
enum NaiveEnumerator {
  static func explains(
    _ history: History, _ consistency: Consistency, _ model: ListModel
  ) -> Bool {
    let returned = history.calls.filter { $0.ended != nil }
    let waiting = history.calls.filter { $0.ended == nil }
    return orders(of: returned).contains { order in
      keeps(order, consistency, history.calls) && replays(order, then: waiting, model)
    }
  }

  private static func orders(of calls: [History.Call]) -> [[History.Call]] {
    guard let last = calls.last else { return [[]] }
    return orders(of: calls.dropLast()).flatMap { order in
      (0...order.count).map { place in
        var longer = order
        longer.insert(last, at: place)
        return longer
      }
    }
  }

  private static func keeps(
    _ order: [History.Call], _ consistency: Consistency, _ all: [History.Call]
  ) -> Bool {
    for (place, later) in order.enumerated() {
      for earlier in order[(place + 1)...]
      where mustKeep(earlier, before: later, consistency, all) { return false }
    }
    return true
  }

  private static func mustKeep(
    _ one: History.Call, before other: History.Call, _ consistency: Consistency,
    _ all: [History.Call]
  ) -> Bool {
    let end = one.ended ?? .max
    switch consistency {
    case .linearizable: return end < other.began
    case .sequential: return one.thread == other.thread && one.began < other.began
    case .quiescent:
      guard end < other.began else { return false }
      // A moment between both at which no call is under way.
      return (end..<other.began).contains { moment in
        !all.contains { $0.began <= moment && ($0.ended ?? .max) > moment }
      }
    default: return false
    }
  }

  private static func replays(
    _ order: [History.Call], then waiting: [History.Call], _ model: ListModel
  ) -> Bool {
    var (model, state) = (model, model.initial)
    for call in order {
      guard let step = model.steps(of: call.operation, in: state)?.first,
        step.answer == call.answer
      else { return false }
      state = step.state
    }
    return waiting.allSatisfy { model.steps(of: $0.operation, in: state)?.isEmpty == true }
  }
}
