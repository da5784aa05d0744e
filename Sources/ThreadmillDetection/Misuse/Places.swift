import ThreadmillModel

extension [Happening.PastStep] {
  /// Returns the steps as facts in their order (the latest first), each place once.
  ///
  /// - Parameter acting: stands in for the thread of a step if that thread is unknown.
  func facts(_ deed: String, acting: ThreadSnapshot) -> [Finding.Fact] {
    var seen = Set<Backtrace>()
    return compactMap { step in
      guard !step.place.isEmpty, seen.insert(step.place).inserted else { return nil }
      return Finding.Fact("\(step.thread ?? acting.thread) \(deed)", frames: step.place)
    }
  }
}
