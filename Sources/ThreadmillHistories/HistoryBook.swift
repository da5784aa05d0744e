/// Makes histories of the calls of runs, and tells those apart that it has seen.
package struct HistoryBook<Model: CallModel> {
  package var model: Model
  private let keys: [[Int?]]
  /// Of each distinct run of the plan a word for each call: ``Moments``.
  private var known: Set<[UInt64]> = []
  /// The run that was noted last.
  private var run: [UInt64] = []

  /// - Parameter keys: of each operation, the key of each argument; empty if there are none.
  package init(_ model: Model, keys: [[Int?]]) { (self.model, self.keys) = (model, keys) }

  /// The history of a run.
  package mutating func history(
    of plan: CallPlan, _ calls: [[HistoryRecorder.Call]]
  ) -> History {
    note(plan, calls)
    return history(of: plan)
  }

  /// Begins with another plan.
  package mutating func forget() { known = [] }

  /// The same, if no run of the plan had that history before.
  package mutating func newHistory(
    of plan: CallPlan, _ calls: [[HistoryRecorder.Call]]
  ) -> History? {
    note(plan, calls)
    return known.insert(run).inserted ? history(of: plan) : nil
  }

  private mutating func note(_ plan: CallPlan, _ calls: [[HistoryRecorder.Call]]) {
    run.removeAll(keepingCapacity: true)
    for thread in plan.threads.indices {
      for place in plan.threads[thread].indices {
        let call = calls[thread][place]
        let operation = plan.threads[thread][place].operation
        run.append(
          Moments(
            began: call.began, ended: call.ended,
            answer: call.answer.map { model.book.number(of: $0, for: operation) }
          ).word)
      }
    }
  }

  /// The history of the run that was noted last.
  private mutating func history(of plan: CallPlan) -> History {
    var calls: [History.Call] = []
    calls.reserveCapacity(run.count)
    for thread in plan.threads.indices {
      for planned in plan.threads[thread] {
        let call = Moments(word: run[calls.count])
        calls.append(
          History.Call(
            thread: thread, operation: model.codes.code(of: planned), began: call.began ?? .max,
            ended: call.ended, answer: call.answer,
            key: keys.isEmpty ? nil : keys[planned.operation][planned.argument]))
      }
    }
    // A call that was never made has no part in the history.
    calls.removeAll { $0.began == .max }
    return History(calls: calls)
  }
}

/// What differs between two runs of the same call, as a word.
private struct Moments {
  var began: Int?
  var ended: Int?
  var answer: Int?

  /// There are two moments for each call of a history at most, and they begin with 1.
  private static let bits: UInt64 = 8
  private static let mask: UInt64 = 0xFF

  init(began: Int?, ended: Int?, answer: Int?) {
    (self.began, self.ended, self.answer) = (began, ended, answer)
  }

  init(word: UInt64) {
    let (began, ended) = (Int(word & Self.mask), Int(word >> Self.bits & Self.mask))
    let answer = Int(word >> (2 * Self.bits))
    self.began = began == 0 ? nil : began
    self.ended = ended == 0 ? nil : ended
    self.answer = answer == 0 ? nil : answer - 1
  }

  var word: UInt64 {
    let answer = UInt64(answer.map { $0 + 1 } ?? 0)
    return answer << (2 * Self.bits) | UInt64(ended ?? 0) << Self.bits | UInt64(began ?? 0)
  }
}
