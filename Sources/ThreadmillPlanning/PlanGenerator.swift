import ThreadmillHistories

/// Makes plans, the smallest first. The same seed leads to the same plans.
package struct PlanGenerator: Sendable {
  /// An operation as far as plans go.
  package struct Operation: Hashable, Sendable {
    /// How many different arguments it has; 1 if it takes none.
    package var arguments: Int
    package var canBeCancelled: Bool

    package init(arguments: Int, canBeCancelled: Bool = false) {
      (self.arguments, self.canBeCancelled) = (arguments, canBeCancelled)
    }
  }

  private let operations: [Operation]
  private let threads: Int
  private let calls: Int
  private var state: UInt64

  /// - Parameters:
  ///   - threads: how many at most, at least 2.
  ///   - calls: of each thread, how many at most.
  package init(_ operations: [Operation], threads: Int, calls: Int, seed: UInt64) {
    (self.operations, self.threads, self.calls) = (operations, max(2, threads), max(1, calls))
    state = seed
  }

  /// So many plans at most, each once. Each size gets its share, and small sizes with few plans
  /// leave the rest of theirs to larger ones.
  package mutating func plans(_ count: Int) -> [CallPlan] {
    var plans: [CallPlan] = []
    var known: Set<CallPlan> = []
    let sizes = shapes
    for (index, shape) in sizes.enumerated() {
      let share = (count - plans.count + sizes.count - index - 1) / (sizes.count - index)
      var (made, missed) = (0, 0)
      while made < share, missed < Self.mostMisses {
        let plan = plan(shape)
        guard known.insert(plan.canonical).inserted else {
          missed += 1
          continue
        }
        plans.append(plan)
        made += 1
      }
    }
    return plans
  }

  /// So many plans that are known already end the search for another one of a size.
  private static let mostMisses = 200

  /// How many calls each thread makes, those with the fewest calls first.
  private var shapes: [[Int]] {
    var shapes: [[Int]] = []
    func grow(_ shape: [Int]) {
      if shape.count >= 2 { shapes.append(shape) }
      guard shape.count < threads else { return }
      for count in 1...(shape.last ?? calls) { grow(shape + [count]) }
    }
    grow([])
    return shapes.sorted { one, other in
      let (few, many) = (one.reduce(0, +), other.reduce(0, +))
      return few != many ? few < many : one.count < other.count
    }
  }

  private mutating func plan(_ shape: [Int]) -> CallPlan {
    var threads: [[CallPlan.Call]] = []
    for count in shape {
      var calls: [CallPlan.Call] = []
      for _ in 0..<count { calls.append(call()) }
      threads.append(calls)
    }
    return CallPlan(threads: threads)
  }

  private mutating func call() -> CallPlan.Call {
    let operation = below(operations.count)
    let isCancelled = operations[operation].canBeCancelled && below(2) == 0
    return .init(
      operation: operation, argument: below(operations[operation].arguments),
      isCancelled: isCancelled)
  }

  /// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
  private mutating func below(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var next = state
    next = (next ^ next >> 30) &* 0xBF58_476D_1CE4_E5B9
    next = (next ^ next >> 27) &* 0x94D0_49BB_1331_11EB
    next ^= next >> 31
    return Int(next.multipliedFullWidth(by: UInt64(count)).high)
  }
}
