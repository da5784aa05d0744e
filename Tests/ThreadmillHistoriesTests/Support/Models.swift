import ThreadmillHistories

/// A model whose state is a list of numbers: the kinds of objects that people describe.
struct ListModel: SequentialModel {
  enum Kind: CaseIterable {
    case register, counter, stack, queue, set, waitingQueue
  }

  let kind: Kind
  /// States about which it says that it knows nothing.
  var unknown: Set<[Int]> = []
  /// How often it was asked.
  var questions = 0

  init(_ kind: Kind) { self.kind = kind }

  var initial: [Int] { [] }

  /// Operations of 10 and more put a number or look one up; 0 and 1 take or read.
  mutating func steps(of operation: Int, in state: [Int]) -> [SequentialStep<[Int]>]? {
    questions += 1
    if unknown.contains(state) { return nil }
    let value = operation % 10
    func step(_ answer: Int, _ state: [Int]) -> [SequentialStep<[Int]>] {
      [SequentialStep(answer: answer, state: state)]
    }
    switch kind {
    case .register: return operation < 10 ? step(state.last ?? 0, state) : step(0, [value])
    case .counter:
      let count = state.first ?? 0
      return operation < 10 ? step(count, state) : step(count, [count + 1])
    case .stack:
      if operation >= 10 { return step(0, state + [value]) }
      return step(state.last ?? -1, state.dropLast())
    case .queue:
      if operation >= 10 { return step(0, state + [value]) }
      return step(state.first ?? -1, Array(state.dropFirst()))
    case .waitingQueue:
      if operation >= 10 { return step(0, state + [value]) }
      return state.isEmpty ? [] : step(state[0], Array(state.dropFirst()))
    case .set:
      let has = state.contains(value)
      if operation < 10 { return step(has ? 1 : 0, state) }
      return step(has ? 0 : 1, has ? state : (state + [value]).sorted())
    }
  }

  /// What tells keys apart, for kinds that have any.
  func key(of operation: Int) -> Int? { kind == .set ? operation % 10 : nil }
}
