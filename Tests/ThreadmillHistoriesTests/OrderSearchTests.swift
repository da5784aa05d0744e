import Testing
import ThreadmillHistories
import ThreadmillTestSupport

/// The search for an order that explains a history, against every order that there is.
@Suite struct OrderSearchTests {
  /// 10,000 histories of all kinds of objects, the same in each run: both sides of the verdict are
  /// frequent, and none differs from that of the enumerator.
  @Test(
    .pureComputation,
    arguments: Consistency.allCases)
  func theVerdictIsThatOfTheNaiveEnumerator(_ consistency: Consistency) {
    var numbers = Numbers(seed: 24)
    var (explained, unexplained) = (0, 0)
    for number in 0..<10_000 {
      let kind = ListModel.Kind.allCases[number % ListModel.Kind.allCases.count]
      var model = ListModel(kind)
      let history = History.random(model, by: &numbers)
      let wanted = NaiveEnumerator.explains(history, consistency, ListModel(kind))
      let verdict = OrderSearch.search(history, consistency, by: &model)
      #expect(verdict.isExplained == wanted, "\(kind) \(history)")
      if wanted { explained += 1 } else { unexplained += 1 }
    }
    #expect(explained > 1_000)
    #expect(unexplained > 1_000)
  }

  @Test func theOrderExplainsTheHistory() {
    var numbers = Numbers(seed: 5)
    for _ in 0..<1_000 {
      var model = ListModel(.queue)
      let history = History.random(model, by: &numbers)
      guard case .explained(let order) = OrderSearch.search(history, by: &model) else { continue }
      var state = model.initial
      #expect(order.count == history.calls.count { $0.ended != nil })
      for call in order.map({ history.calls[$0] }) {
        let step = model.steps(of: call.operation, in: state)?.first
        #expect(step?.answer == call.answer)
        state = step?.state ?? []
      }
    }
  }

  /// H. Herlihy and J. Wing's own examples of a queue: figure 1 (a) and (b).
  @Test func theExamplesOfThePaper() {
    func call(_ thread: Int, _ operation: Int, _ began: Int, _ ended: Int, _ answer: Int)
      -> History.Call
    { .init(thread: thread, operation: operation, began: began, ended: ended, answer: answer) }
    let (x, y, take) = (11, 12, 0)
    let good = History(calls: [
      call(0, x, 1, 3, 0), call(1, y, 2, 4, 0), call(1, take, 5, 7, 1), call(0, take, 6, 8, 2),
    ])
    var model = ListModel(.queue)
    #expect(OrderSearch.search(good, by: &model).isExplained)
    let bad = History(calls: [
      call(0, x, 1, 2, 0), call(1, y, 3, 4, 0), call(0, take, 5, 6, 2),
    ])
    #expect(OrderSearch.search(bad, by: &model) == .unexplained)
    // Without the order between the threads, y may have come first.
    #expect(OrderSearch.search(bad, .sequential, by: &model).isExplained)
    // The three calls are separated by moments without any.
    #expect(OrderSearch.search(bad, .quiescent, by: &model) == .unexplained)
  }

  @Test func whatTheModelDoesNotKnowIsNoVerdict() {
    let calls = [History.Call(thread: 0, operation: 11, began: 1, ended: 2, answer: 5)]
    var model = ListModel(.register)
    #expect(OrderSearch.search(History(calls: calls), by: &model) == .unexplained)
    model.unknown = [[]]
    #expect(OrderSearch.search(History(calls: calls), by: &model) == .unknown)
  }

  /// Ten threads that all read at once: 10! orders, and one state.
  @Test func whatWasTriedIsNotTriedAgain() {
    var calls = (0..<10).map {
      History.Call(thread: $0, operation: 0, began: $0, ended: 100 + $0, answer: 0)
    }
    calls.append(.init(thread: 10, operation: 0, began: 11, ended: 200, answer: 9))
    var model = ListModel(.register)
    #expect(OrderSearch.search(History(calls: calls), by: &model) == .unexplained)
    // One question for each set of calls and each call that is not in it.
    #expect(model.questions <= 11 * 1 << 11)
  }

  /// Of 12 keys with two calls each, 24 overlapping calls in all: key by key that is nothing.
  @Test func keysAreCheckedOneByOne() {
    let calls = (0..<24).map { index in
      History.Call(
        thread: index, operation: 10 + index % 12 * 20, began: index, ended: 100 + index,
        answer: index < 23 ? index / 12 : 7, key: index % 12)
    }
    var model = ListModel(.counter)
    #expect(OrderSearch.search(History(calls: calls), by: &model) == .unexplained)
    #expect(model.questions < 100)
  }
}

extension OrderSearch.Verdict {
  var isExplained: Bool { if case .explained = self { true } else { false } }
}
