/// What ``Arrivals`` is for threads, for tasks: whoever is early is suspended, and keeps no thread.
actor Meeting {
  private let number: Int
  private var come = 0
  private var early: [CheckedContinuation<Void, Never>] = []

  init(of number: Int) { self.number = number }

  /// Returns once as many tasks as were expected have come; never, if they do not.
  func meet() async {
    come += 1
    guard come < number else { return begin() }
    await withCheckedContinuation { early.append($0) }
  }

  private func begin() {
    for task in early { task.resume() }
    early = []
  }
}
