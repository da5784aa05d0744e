/// The model is the type itself, used by one thread: a state is the way that led to it from a new
/// object. What is not known yet has to be tried, and is asked for.
package struct PathModel: CallModel {
  package var book: AnswerBook
  package var codes = CallCodes()
  /// Whether questions about what is not known are kept.
  package var isCurious = true
  private var nodes = [Node(path: [])]
  private var wanted: [SoloPath] = []
  private var isWanted: Set<SoloPath> = []

  private struct Node {
    var path: [SoloPath.Step]
    /// What each step leads to, by its place: nothing, if it waits for ever; `nil` if that is not
    /// known. Steps with a place beyond the end are not known either.
    private var children: [[SequentialStep<Int>]?] = []

    init(path: [SoloPath.Step]) { self.path = path }

    subscript(step: SoloPath.Step) -> [SequentialStep<Int>]? {
      get { step.place < children.count ? children[step.place] : nil }
      set {
        while children.count <= step.place { children.append(nil) }
        children[step.place] = newValue
      }
    }
  }

  package init(operations: Int) { book = AnswerBook(operations: operations) }

  package mutating func steps(of code: Int, in state: Int) -> [SequentialStep<Int>]? {
    let isCancelled = codes.calls[code].isCancelled
    guard let usual = child(SoloPath.Step(code: code, isCancelledBefore: false), of: state) else {
      if isCancelled { _ = child(SoloPath.Step(code: code, isCancelledBefore: true), of: state) }
      return nil
    }
    guard isCancelled else { return usual }
    return child(SoloPath.Step(code: code, isCancelledBefore: true), of: state).map { usual + $0 }
  }

  /// What a step leads to; asks for it if that is not known.
  private mutating func child(
    _ step: SoloPath.Step, of state: Int
  ) -> [SequentialStep<Int>]? {
    if let known = nodes[state][step] { return known }
    if isCurious { want(SoloPath(steps: nodes[state].path + [step])) }
    return nil
  }

  package mutating func verdict(
    on history: History, _ consistency: Consistency
  ) -> OrderSearch<Self>.Verdict { OrderSearch.search(history, consistency, by: &self) }

  package mutating func want(_ path: [Int]) {
    want(SoloPath(steps: path.map { .init(code: $0, isCancelledBefore: false) }))
  }

  private mutating func want(_ path: SoloPath) {
    if isWanted.insert(path).inserted { wanted.append(path) }
  }

  package mutating func takeWanted() -> [SoloPath] {
    defer { wanted = [] }
    return wanted
  }

  package mutating func keep(_ path: SoloPath, _ answers: [Answer]) {
    var node = 0
    for (place, step) in path.steps.enumerated() {
      guard place < answers.count else {
        nodes[node][step] = []
        return
      }
      if let known = nodes[node][step]?.first {
        node = known.state
        continue
      }
      let answer = book.number(of: answers[place], for: codes.calls[step.code].operation)
      nodes.append(Node(path: Array(path.steps[...place])))
      nodes[node][step] = [.init(answer: answer, state: nodes.count - 1)]
      node = nodes.count - 1
    }
  }
}

extension SoloPath.Step {
  /// Different for all steps, and small.
  fileprivate var place: Int { 2 * code + (isCancelledBefore ? 1 : 0) }
}
