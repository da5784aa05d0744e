import ThreadmillModel

extension Happening {
  /// What threads did before at some of the places, each place once, the latest first.
  func past(_ range: Range<Int>, _ deed: String) -> [Finding.Fact] {
    var seen = Set<Backtrace>()
    return range.clamped(to: places.indices).compactMap { index in
      guard !places[index].isEmpty, seen.insert(places[index]).inserted else { return nil }
      return Finding.Fact("\(thread(of: index)) \(deed)", frames: places[index])
    }
  }

  /// Whose place it is; the acting thread where that is unknown.
  func thread(of place: Int) -> ThreadID {
    placeThreads.indices.contains(place) ? placeThreads[place] ?? thread.thread : thread.thread
  }

  /// One of the numbers; 0 where it is missing.
  func number(_ index: Int) -> Int {
    numbers.indices.contains(index) ? Int(truncatingIfNeeded: numbers[index]) : 0
  }
}
