import ThreadmillModel

/// What keeps two acquisitions from waiting at the same time; a greater one keeps them apart more
/// surely.
enum Separation: Int, Comparable, CaseIterable {
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

  static func < (a: Separation, b: Separation) -> Bool { a.rawValue < b.rawValue }
}

extension Dependency {
  /// The surest of the things that keep the two apart.
  func separation(from other: Dependency) -> Separation {
    let isOneStrand = acquisition.moment.strand == other.acquisition.moment.strand
    let isTested = !acquisition.tests.isEmpty
    if let gate = gate(sharedWith: other) {
      return isOneStrand && gate.isMainQueue && isTested ? .mainThread : .gate
    }
    if isOneStrand { return .strand }
    return acquisition.moment.isConcurrent(with: other.acquisition.moment) ? .nothing : .order
  }

  /// A lock that both hold, in modes that exclude each other; the main queue only if there is none.
  func gate(sharedWith other: Dependency) -> Acquisition.Holding? {
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

/// Why a cycle is no finding.
enum DropReason: Equatable {
  case gate(LockID)
  case oneThread
  case mainThread
  case ordered(first: ThreadID, second: ThreadID)
  case notALock(LockID)

  /// The reason of the first two that are kept apart as surely as any two of the chain.
  ///
  /// `nil` if all of them can meet.
  init?(_ chain: [Dependency]) {
    var surest = Separation.nothing
    var reason: DropReason?
    for (index, one) in chain.enumerated() {
      for other in chain[(index + 1)...] where one.separation(from: other) > surest {
        surest = one.separation(from: other)
        reason = Self.between(one, other)
      }
    }
    guard let reason else { return nil }
    self = reason
  }

  /// How surely it keeps them apart.
  var separation: Separation {
    switch self {
    case .gate, .notALock: .gate
    case .oneThread: .strand
    case .mainThread: .mainThread
    case .ordered: .order
    }
  }

  private static func between(_ one: Dependency, _ other: Dependency) -> DropReason? {
    switch one.separation(from: other) {
    case .nothing: return nil
    case .gate: return one.gate(sharedWith: other).map { .gate($0.lock) }
    case .strand: return .oneThread
    case .mainThread: return .mainThread
    case .order:
      let (a, b) = (one.acquisition, other.acquisition)
      return a.moment.happens(before: b.moment)
        ? .ordered(first: a.thread, second: b.thread)
        : .ordered(first: b.thread, second: a.thread)
    }
  }
}
