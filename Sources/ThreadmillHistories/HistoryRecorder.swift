/// Writes down the calls of one run after the other: who called what when, and what came of it.
///
/// It has no lock: whoever uses it has to be alone.
package final class HistoryRecorder: @unchecked Sendable {
  /// One call of the run.
  package struct Call {
    package var began: Int?
    package var ended: Int?
    package var answer: Answer?
  }

  /// By thread and place.
  package private(set) var calls: [[Call]] = []
  /// Calls that have begun and not ended, by thread.
  package private(set) var underWay: [Bool] = []
  /// Rises whenever a call begins or ends.
  package private(set) var clock = 0

  package var isSomethingUnderWay: Bool { underWay.contains(true) }

  package init() {}

  package func begin(_ plan: CallPlan) {
    calls = plan.threads.map { $0.map { _ in Call() } }
    underWay = plan.threads.map { _ in false }
    clock = 0
  }

  package func begins(_ thread: Int, _ place: Int) {
    clock += 1
    calls[thread][place].began = clock
    underWay[thread] = true
  }

  package func ends(_ thread: Int, _ place: Int, _ answer: Answer) {
    clock += 1
    calls[thread][place].ended = clock
    calls[thread][place].answer = answer
    underWay[thread] = false
  }
}
