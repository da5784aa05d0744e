import ThreadmillModel

extension [Happening.PastStep] {
  /// The steps as facts, each place once, the latest first.
  ///
  /// - Parameter acting: stands in for the thread of a step whose own is unknown.
  func facts(_ deed: String, acting: ThreadSnapshot) -> [Finding.Fact] {
    var seen = Set<Backtrace>()
    return compactMap { step in
      guard !step.place.isEmpty, seen.insert(step.place).inserted else { return nil }
      return Finding.Fact("\(step.thread ?? acting.thread) \(deed)", frames: step.place)
    }
  }
}
