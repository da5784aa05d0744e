import ThreadmillModel

/// What several threads called on one object, and what each call returned.
///
/// Moments are numbers that rise with time; no two are equal.
package struct History: Hashable, Sendable {
  /// One call.
  package struct Call: Hashable, Sendable {
    package var thread: Int
    /// What was called with which arguments, as a number of whoever made the history.
    package var operation: Int
    package var began: Int
    /// `nil` if the call never returned.
    package var ended: Int?
    /// What it returned or threw; equal numbers for equal results. `nil` if it never returned.
    package var answer: Int?
    /// Calls with different keys have nothing to do with each other, as those of a dictionary;
    /// `nil` if the call has to do with all others.
    package var key: Int?

    package init(
      thread: Int, operation: Int, began: Int, ended: Int?, answer: Int?, key: Int? = nil
    ) {
      (self.thread, self.operation, self.key) = (thread, operation, key)
      (self.began, self.ended, self.answer) = (began, ended, answer)
    }
  }

  /// At most ``mostCalls``, in the order in which they began.
  package var calls: [Call]

  /// More calls than a checker can keep in one word.
  package static let mostCalls = 64

  package init(calls: [Call]) {
    precondition(calls.count <= Self.mostCalls, "\(calls.count) calls in one history")
    self.calls = calls.inOrder { $0.began < $1.began }
  }

  /// The operations that returned, in the order in which they did: what often explains a history.
  package var byReturn: [Int] {
    calls.filter { $0.ended != nil }.inOrder { ($0.ended ?? 0) < ($1.ended ?? 0) }.map(\.operation)
  }
}

/// How much of the order in which calls were made has to be kept by the order that explains them.
@nonexhaustive
public enum Consistency: String, CaseIterable, Sendable {
  /// A call that ended before another one began comes before it: M. Herlihy, J. Wing,
  /// "Linearizability: A Correctness Condition for Concurrent Objects", TOPLAS 1990.
  case linearizable
  /// Calls of one thread keep their order: L. Lamport, "How to Make a Multiprocessor Computer That
  /// Correctly Executes Multiprocess Programs", 1979.
  case sequential
  /// Calls that are separated by a moment without any call keep their order: J. Aspnes,
  /// M. Herlihy, N. Shavit, "Counting Networks", JACM 1994.
  case quiescent
}

extension Consistency {
  /// For each call of a history the calls that have to come before it, a bit for each.
  package func predecessors(in history: History) -> [UInt64] {
    let calls = history.calls
    switch self {
    case .linearizable:
      return calls.map { call in Self.bits(of: calls) { ($0.ended ?? .max) < call.began } }
    case .sequential:
      return calls.map { call in
        Self.bits(of: calls) { $0.thread == call.thread && $0.began < call.began }
      }
    case .quiescent:
      // Calls are in the order of their begins: one that begins after all before have ended opens a
      // new period.
      var (opens, latest, first) = ([Int](), 0, 0)
      for (index, call) in calls.enumerated() {
        if call.began > latest { first = index }
        latest = max(latest, call.ended ?? .max)
        opens.append(first)
      }
      return opens.map { $0 == 0 ? 0 : UInt64.max >> UInt64(64 - $0) }
    }
  }

  private static func bits(
    of calls: [History.Call], _ isWanted: (History.Call) -> Bool
  ) -> UInt64 {
    var bits: UInt64 = 0
    for (index, call) in calls.enumerated() where isWanted(call) { bits |= 1 << UInt64(index) }
    return bits
  }
}
