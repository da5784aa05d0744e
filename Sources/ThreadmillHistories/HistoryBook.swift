/// Makes histories of the calls of runs, and tells those apart that it has seen.
package struct HistoryBook<Model: CallModel> {
  package var model: Model
  private let keys: [[Int?]]
  private var known: Set<History> = []

  /// - Parameter keys: of each operation, the key of each argument; empty if there are none.
  package init(_ model: Model, keys: [[Int?]]) { (self.model, self.keys) = (model, keys) }

  /// The history of the run that was recorded last.
  package mutating func history(of plan: CallPlan, _ recorder: HistoryRecorder) -> History {
    var calls: [History.Call] = []
    calls.reserveCapacity(plan.count)
    for thread in plan.threads.indices {
      for place in plan.threads[thread].indices {
        let (planned, call) = (plan.threads[thread][place], recorder.calls[thread][place])
        guard let began = call.began else { continue }
        let key = keys.isEmpty ? nil : keys[planned.operation][planned.argument]
        let answer = call.answer.map { model.book.number(of: $0, for: planned.operation) }
        calls.append(
          History.Call(
            thread: thread, operation: model.codes.code(of: planned), began: began,
            ended: call.ended, answer: answer, key: key))
      }
    }
    return History(calls: calls)
  }

  package mutating func forget() { known = [] }

  /// Returns whether the history is a new one.
  package mutating func insert(_ history: History) -> Bool { known.insert(history).inserted }
}
