import ThreadmillModel

extension Happening {
  /// What threads did before at some of the places, each place once, the latest first.
  func past(_ range: Range<Int>, role: String) -> [Finding.Participant] {
    var seen = Set<Backtrace>()
    return range.clamped(to: places.indices).compactMap { index in
      guard !places[index].isEmpty, seen.insert(places[index]).inserted else { return nil }
      let known = placeThreads.indices.contains(index) ? placeThreads[index] : nil
      return Finding.Participant(
        thread: known ?? thread.thread, role: role, frames: places[index], isPast: true)
    }
  }

  /// One of the numbers; 0 where it is missing.
  func number(_ index: Int) -> Int {
    numbers.indices.contains(index) ? Int(truncatingIfNeeded: numbers[index]) : 0
  }
}
