/// The calls that a description allows, with a number for each.
package struct CallCodes: Sendable {
  private var codes: [CallPlan.Call: Int] = [:]
  package private(set) var calls: [CallPlan.Call] = []

  package init() {}

  package mutating func code(of call: CallPlan.Call) -> Int {
    if let known = codes[call] { return known }
    codes[call] = calls.count
    calls.append(call)
    return calls.count - 1
  }
}

/// What a described object does for one caller, call by call. Operations are codes of calls.
package protocol CallModel: SequentialModel where State == Int {
  var book: AnswerBook { get set }
  var codes: CallCodes { get set }
  /// Whether a search asks for what it would have needed to know.
  var isCurious: Bool { get set }

  /// Looks for an order that explains the history.
  mutating func verdict(
    on history: History, _ consistency: Consistency
  ) -> OrderSearch<Self>.Verdict

  /// Asks what these calls would do, one after the other on a new object.
  mutating func want(_ path: [Int])
  /// Gives out the calls that were asked for, and forgets them.
  mutating func takeWanted() -> [SoloPath]
  /// Learns what the calls of a path have done; the first one without an answer waits for ever.
  mutating func keep(_ path: SoloPath, _ answers: [Answer])
}

extension CallModel {
  package var initial: Int { 0 }
}

/// Calls that are to be made one after the other, on an object of their own.
package struct SoloPath: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var code: Int
    /// The call is made in a task that was cancelled before.
    package var isCancelledBefore: Bool
  }

  package var steps: [Step]
}

/// The model is a value: what closures do to it.
package struct ValueModel<Model: Hashable>: CallModel {
  package typealias Apply = (CallPlan.Call, inout Model) -> Answer?

  package var book: AnswerBook
  package var codes = CallCodes()
  package var isCurious = true
  private let apply: Apply
  private let cancelled: Answer
  /// Equal states are one.
  private var states: [Model]
  private var numbers: [Model: Int]
  private var known: [Question: [SequentialStep<Int>]] = [:]

  private struct Question: Hashable {
    var code: Int
    var state: Int
  }

  /// - Parameters:
  ///   - cancelled: what a call does that is cancelled and changes nothing.
  ///   - apply: makes a call; returns `nil` if it would wait for ever.
  package init(
    _ model: Model, operations: Int, cancelled: Answer, apply: @escaping Apply
  ) {
    (self.apply, self.cancelled, states, numbers) = (apply, cancelled, [model], [model: 0])
    book = AnswerBook(operations: operations)
  }

  package mutating func steps(of code: Int, in state: Int) -> [SequentialStep<Int>]? {
    let question = Question(code: code, state: state)
    if let steps = known[question] { return steps }
    let call = codes.calls[code]
    var model = states[state]
    var steps: [SequentialStep<Int>] = []
    if let answer = apply(call, &model) {
      let number = book.number(of: answer, for: call.operation)
      steps.append(.init(answer: number, state: self.number(of: model)))
    }
    if call.isCancelled {
      let number = book.number(of: cancelled, for: call.operation)
      steps.append(.init(answer: number, state: state))
    }
    known[question] = steps
    return steps
  }

  private mutating func number(of model: Model) -> Int {
    if let known = numbers[model] { return known }
    numbers[model] = states.count
    states.append(model)
    return states.count - 1
  }

  package mutating func verdict(
    on history: History, _ consistency: Consistency
  ) -> OrderSearch<Self>.Verdict { OrderSearch.search(history, consistency, by: &self) }

  package mutating func want(_ path: [Int]) {}
  package mutating func takeWanted() -> [SoloPath] { [] }
  package mutating func keep(_ path: SoloPath, _ answers: [Answer]) {}
}
