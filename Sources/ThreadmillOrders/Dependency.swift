import ThreadmillModel

/// One acquisition, seen as the reason for one of its edges.
package struct Dependency: Sendable {
  package let edge: Edge
  package let acquisition: Acquisition
  /// The mode in which `edge.from` is held.
  package let heldMode: HoldMode

  /// `nil` if the acquisition does not hold `held`.
  package init?(held: LockID, acquisition: Acquisition) {
    guard let mode = acquisition.mode(of: held) else { return nil }
    self.edge = Edge(from: held, to: acquisition.wanted)
    self.acquisition = acquisition
    self.heldMode = mode
  }

  /// Whether this one has to wait as long as `next` holds what it holds.
  package func waits(for next: Dependency) -> Bool {
    edge.to == next.edge.from && acquisition.wantedMode.excludes(next.heldMode)
  }

  /// Whether `later` can meet every acquisition of another strand that this one can meet.
  ///
  /// It can if it knows no more of the others and the others know no more of it. What is known of
  /// the others matters although they came first: to two of them and a third one still to come.
  package func isCovered(by later: Dependency) -> Bool {
    let a = acquisition.moment
    let b = later.acquisition.moment
    return a.strand == b.strand && a.slot == b.slot && a.time <= b.time
      && a.knowledge == b.knowledge && acquisition.holdsTheSame(as: later.acquisition)
  }
}

/// The known acquisitions of one edge. They differ in the strand, the time or the locks held.
package struct DependencyList: Sendable {
  package enum Insertion: Equatable {
    /// An equal acquisition is in the list already.
    case known
    case added
    /// The new acquisition replaced another one, which may still have mattered.
    case displaced
  }

  /// In the order in which they came.
  package private(set) var all: [Dependency] = []

  package init() {}

  /// Keeps a dependency; of those that cover each other, only the latest. Linear in `limit`.
  ///
  /// - Parameter telling: whether two acquisitions are worth keeping apart although one covers the
  ///   other.
  package mutating func insert(
    _ new: Dependency, limit: Int, telling apart: (Dependency, Dependency) -> Bool
  ) -> Insertion {
    if let index = all.firstIndex(where: { $0.isCovered(by: new) && !apart($0, new) }) {
      let isSame = all[index].acquisition.moment == new.acquisition.moment
      all[index] = new
      return isSame ? .known : .added
    }
    if all.contains(where: { new.isCovered(by: $0) && !apart($0, new) }) { return .known }
    let isFull = all.count >= limit
    if isFull, let index = expendable(for: new) { all.remove(at: index) }
    all.append(new)
    return isFull ? .displaced : .added
  }

  /// Leaves `lock` out of what was held, and returns the dependencies that this changed.
  package mutating func strip(_ lock: LockID) -> [Dependency] {
    var changed: [Dependency] = []
    for index in all.indices where all[index].acquisition.mode(of: lock) != nil {
      let rest = all[index].acquisition.without(lock)
      guard let dependency = Dependency(held: all[index].edge.from, acquisition: rest) else {
        continue
      }
      all[index] = dependency
      changed.append(dependency)
    }
    return changed
  }

  /// The oldest one of the strand that has most, so that no strand pushes all others out.
  private func expendable(for new: Dependency) -> Int? {
    var count = [new.acquisition.moment.strand: 1]
    for dependency in all { count[dependency.acquisition.moment.strand, default: 0] += 1 }
    let most = count.values.max()
    return all.firstIndex { count[$0.acquisition.moment.strand] == most }
  }
}
