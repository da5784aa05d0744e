import ThreadmillModel

/// Looks for an order of a history's calls, one after the other, that explains what they returned.
///
/// J. Wing, C. Gong, "Testing and Verifying Concurrent Objects", JPDC 1993: calls are put into an
/// order one by one; each time one of those may come next before which no other call has to come.
/// From G. Lowe, "Testing for Linearizability", CCPE 2017:
///
/// * What was tried is remembered as the set of calls that have their place, with the state that
///   they lead to, and is not tried again.
/// * Calls get their place just in time: first the call whose return comes next, and others before
///   it only if that explains nothing.
/// * Calls with keys are checked key by key ("P-compositionality": A. Horn, D. Kroening, FORTE
///   2015), unless a call has none. That is sound for linearizability alone, which is local.
///
/// Difference: calls that never return come last. An order explains them if each of them would
/// wait for ever in the state at the end.
package struct OrderSearch<Model: SequentialModel> {
  package typealias State = Model.State

  /// What became of a search.
  package enum Verdict: Hashable, Sendable {
    /// The order that explains the history, by indices of its calls; of a history with keys, the
    /// order of each key after the other.
    case explained([Int])
    /// No order does.
    case unexplained
    /// The model does not know enough yet.
    case unknown
  }

  private let calls: [History.Call]
  private let predecessors: [UInt64]
  /// The calls in the order in which they returned.
  private let byReturn: [Int]
  private let all: UInt64
  /// What leads to no order.
  private var tried: Set<Tried> = []
  private var order: [Int] = []
  private var missesSomething = false

  private struct Tried: Hashable {
    var placed: UInt64
    var state: State
  }

  /// Looks for an order.
  package static func search(
    _ history: History, _ consistency: Consistency = .linearizable, by model: inout Model
  ) -> Verdict {
    guard consistency == .linearizable, let parts = history.byKey else {
      return searchWhole(history, consistency, by: &model)
    }
    var order: [Int] = []
    var isKnown = true
    for part in parts {
      let calls = History(calls: part.map { history.calls[$0] })
      switch searchWhole(calls, consistency, by: &model) {
      case .explained(let places): order += places.map { part[$0] }
      case .unexplained: return .unexplained
      case .unknown: isKnown = false
      }
    }
    return isKnown ? .explained(order) : .unknown
  }

  private static func searchWhole(
    _ history: History, _ consistency: Consistency, by model: inout Model
  ) -> Verdict {
    var search = OrderSearch(history, consistency)
    let isExplained = search.place(0, model.initial, &model)
    if isExplained { return .explained(search.order) }
    return search.missesSomething ? .unknown : .unexplained
  }

  private init(_ history: History, _ consistency: Consistency) {
    let calls = history.calls
    var (byReturn, all) = ([Int](), UInt64(0))
    byReturn.reserveCapacity(calls.count)
    for call in calls.indices where calls[call].ended != nil {
      byReturn.append(call)
      all |= 1 << UInt64(call)
    }
    byReturn = byReturn.inOrder { (calls[$0].ended ?? 0) < (calls[$1].ended ?? 0) }
    (self.calls, self.byReturn, self.all) = (calls, byReturn, all)
    predecessors = consistency.predecessors(in: history)
    order.reserveCapacity(calls.count)
  }

  /// Puts the calls that are missing behind those that have their place.
  private mutating func place(_ placed: UInt64, _ state: State, _ model: inout Model) -> Bool {
    if placed == all { return allOthersWait(in: state, &model) }
    if !tried.isEmpty, tried.contains(Tried(placed: placed, state: state)) { return false }
    for call in byReturn where placed & 1 << UInt64(call) == 0 {
      guard predecessors[call] & all & ~placed == 0 else { continue }
      guard let steps = model.steps(of: calls[call].operation, in: state) else {
        missesSomething = true
        continue
      }
      order.append(call)
      for step in steps where step.answer == calls[call].answer {
        if place(placed | 1 << UInt64(call), step.state, &model) { return true }
      }
      order.removeLast()
    }
    tried.insert(Tried(placed: placed, state: state))
    return false
  }

  private mutating func allOthersWait(in state: State, _ model: inout Model) -> Bool {
    for call in calls where call.ended == nil {
      guard let steps = model.steps(of: call.operation, in: state) else {
        missesSomething = true
        return false
      }
      if !steps.isEmpty { return false }
    }
    return true
  }
}

extension History {
  /// The calls of each key, by their indices; `nil` if a call has no key, or all have the same one.
  fileprivate var byKey: [[Int]]? {
    var parts: [Int: [Int]] = [:]
    for (index, call) in calls.enumerated() {
      guard let key = call.key else { return nil }
      parts[key, default: []].append(index)
    }
    return parts.count > 1 ? parts.values.inOrder { $0[0] < $1[0] } : nil
  }
}
