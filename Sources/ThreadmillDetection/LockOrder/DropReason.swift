import ThreadmillModel
import ThreadmillOrders

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

  /// How surely this reason keeps two acquisitions apart.
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
