import ThreadmillModel
import ThreadmillOrders

extension LockOrderGraph {
  /// The consequences of learning that an object is not a lock.
  package struct Disqualification: Hashable, Sendable {
    /// Findings that were reported and no longer hold; each is in `filtered` now, with the reason.
    package var withdrawn: [Finding] = []
    /// New verdicts: the object may have passed for a gate lock before.
    package var verdicts: [Verdict] = []

    package init() {}
  }

  /// Forgets an instance that was destroyed, its edges, and the cycles it is on.
  ///
  /// It stays in the held sets of acquisitions of other locks: what it guarded then, it did guard.
  /// Costs one step for each edge.
  package mutating func retire(_ lock: LockID) {
    removeNode(lock)
    _ = candidates.remove(lock)
    objects[lock] = nil
    objects.shrinkIfSparse()
    disqualified.remove(lock)
    disqualified.shrinkIfSparse()
  }

  /// Takes back that `lock` is a lock: it is on no cycle and guards nothing, before and from now
  /// on.
  ///
  /// Costs one step for each acquisition that was made under it, and the search if there are any.
  @discardableResult
  package mutating func disqualify(_ lock: LockID) -> Disqualification {
    guard disqualified.insert(lock).inserted else { return Disqualification() }
    let guarded = order.nodes[lock]?.successors.sorted() ?? []
    var result = Disqualification()
    result.withdrawn = withdraw(lock)
    removeNode(lock)
    for wanted in guarded {
      for held in order.nodes[wanted]?.predecessors.sorted() ?? [] {
        let changed = dependencies[Edge(from: held, to: wanted)]?.strip(lock) ?? []
        for dependency in changed { result.verdicts += examine(dependency) }
      }
    }
    return result
  }

  private mutating func withdraw(_ lock: LockID) -> [Finding] {
    let reason = DropReason.notALock(lock)
    return candidates.remove(lock).map { cycle, finding in
      let finding = filtered(finding, because: reason)
      keepFiltered(finding, for: cycle)
      return finding
    }
  }

  private mutating func removeNode(_ lock: LockID) {
    guard let node = order.nodes[lock] else { return }
    for next in node.successors { dependencies[Edge(from: lock, to: next)] = nil }
    for previous in node.predecessors { dependencies[Edge(from: previous, to: lock)] = nil }
    dependencies.shrinkIfSparse()
    order.remove(lock)
  }
}
