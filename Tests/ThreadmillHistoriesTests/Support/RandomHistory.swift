import ThreadmillHistories

/// Numbers from a seed.
struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var next = state
    next = (next ^ next >> 30) &* 0xBF58_476D_1CE4_E5B9
    next = (next ^ next >> 27) &* 0x94D0_49BB_1331_11EB
    return next ^ next >> 31
  }
}

extension History {
  /// A history of two or three threads with overlapping calls. Each call gives the answer of the
  /// moment at which it ends; now and then the answer is another one.
  static func random(_ model: ListModel, by numbers: inout Numbers) -> History {
    var (model, state, clock) = (model, model.initial, 0)
    var left = (0..<Int.random(in: 2...3, using: &numbers)).map { _ in
      Int.random(in: 1...2, using: &numbers)
    }
    var (open, calls) = ([Int: Call](), [Call]())
    while let thread = left.indices.filter({ left[$0] > 0 || open[$0] != nil }).randomElement(
      using: &numbers)
    {
      clock += 1
      guard var call = open.removeValue(forKey: thread) else {
        left[thread] -= 1
        let operation = Bool.random(using: &numbers) ? 0 : 10
        let number = operation + Int.random(in: 1...2, using: &numbers)
        open[thread] = Call(
          thread: thread, operation: number, began: clock, ended: nil, answer: nil,
          key: model.key(of: number))
        continue
      }
      let step = model.steps(of: call.operation, in: state)?.first
      if let step, Int.random(in: 0..<20, using: &numbers) > 0 {
        (call.ended, call.answer, state) = (clock, step.answer, step.state)
        // A wrong answer, or one that another order would have given.
        if Int.random(in: 0..<6, using: &numbers) == 0 {
          call.answer = Int.random(in: -1...2, using: &numbers)
        }
      } else {
        left[thread] = 0
      }
      calls.append(call)
    }
    return History(calls: calls)
  }
}
