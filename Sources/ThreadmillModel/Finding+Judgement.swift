extension Finding {
  /// The verdict of a baseline or of a file of suppressions.
  package enum Judgement: Hashable, Sendable {
    /// Not in the baseline.
    case new
    /// In the baseline.
    case known
    /// Suppressed by the entry that begins at `FILE:LINE`.
    case suppressed(reason: String, by: String)
  }

  /// Whether it makes a command end with status 1: everything but notes, candidates that were
  /// dropped, and what is known or suppressed.
  package var counts: Bool {
    guard status != .filtered, severity != .note else { return false }
    return !isExcused
  }

  /// Whether it accuses the program of something: not a candidate that was dropped, and not a note
  /// that one thread alone took locks in opposite orders.
  package var accuses: Bool {
    status != .filtered && !(isSingleThreaded && severity == .note)
  }

  package var isKnown: Bool { judgement == .known }

  package var isSuppressed: Bool {
    if case .suppressed = judgement { true } else { false }
  }

  /// Whether it is known or suppressed, so that no test fails for it.
  package var isExcused: Bool { isKnown || isSuppressed }

  /// Whether a report shows it in full.
  package var isTold: Bool { status != .filtered && !isExcused }

  /// Every frame of the user's that it names, in the order of a report.
  package var userFrames: [Frame] {
    let threads = participants + (confirmation?.deadlock ?? [])
    let stacks =
      threads.flatMap { [$0.frames, $0.submitted] + $0.holds.map(\.frames) }
      + facts.map(\.frames) + objects.map { $0.created + [$0.variable].compactMap(\.self) }
    return stacks.joined().filter { !$0.isSystem }
  }
}
