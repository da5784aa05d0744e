import ThreadmillModel

/// What keeps two acquisitions from waiting at the same time; a greater one keeps them apart more
/// surely.
package enum Separation: Int, Comparable, CaseIterable {
  /// They can meet.
  case nothing
  /// Fork, join, a wait, a hand-over or a queue puts one before the other.
  case order
  /// One strand made both. Another run may give each its own.
  case strand
  /// One strand of a test made both on the main queue, where tests run whatever they test. To a
  /// program the main queue is a gate like any other.
  case mainThread
  /// Both hold a lock that only one can hold. Whoever runs them, they never meet.
  case gate

  package static func < (a: Separation, b: Separation) -> Bool { a.rawValue < b.rawValue }
}

extension Dependency {
  /// The surest of the things that keep the two apart.
  package func separation(from other: Dependency) -> Separation {
    let isOneStrand = acquisition.moment.strand == other.acquisition.moment.strand
    let isTested = !acquisition.tests.isEmpty
    if let gate = gate(sharedWith: other) {
      return isOneStrand && gate.isMainQueue && isTested ? .mainThread : .gate
    }
    if isOneStrand { return .strand }
    return acquisition.moment.isConcurrent(with: other.acquisition.moment) ? .nothing : .order
  }

  /// A lock that both hold, in modes that exclude each other; the main queue only if there is none.
  package func gate(sharedWith other: Dependency) -> Acquisition.Holding? {
    var mainQueue: Acquisition.Holding?
    for mine in acquisition.held {
      for theirs in other.acquisition.held
      where mine.lock == theirs.lock && mine.mode.excludes(theirs.mode) {
        guard mine.isMainQueue else { return mine }
        mainQueue = mine
      }
    }
    return mainQueue
  }
}
