import ThreadmillModel
import ThreadmillOrders

extension LockOrderGraph {
  /// Two classes of locks that were nested both ways round, by different instances or one after the
  /// other: nothing that happened, and no finding before somebody has tried it out.
  ///
  /// Both threads have the locks of the first one, which stand for those of the second.
  /// Classes that a finding tells of are left out.
  package var classCandidates: [Finding] {
    classNestings.opposites.filter { one, _ in
      !toldClasses.contains([
        LockClass(one.from, one.dependency.edge.from), LockClass(one.to, one.dependency.edge.to),
      ])
    }.map(candidate)
  }

  private func candidate(
    _ one: ClassNestings.Nesting, _ other: ClassNestings.Nesting
  ) -> Finding {
    let (first, second) = (one.dependency.edge, other.dependency.edge)
    let (outer, inner) = (one.from.object(first.from), one.to.object(first.to))
    let pairs = [
      (first.from, outer), (first.to, inner), (second.to, outer), (second.from, inner),
    ]
    let names = Dictionary(pairs) { first, _ in first }
    func known(_ lock: LockID) -> SharedObject {
      names[lock] ?? object(lock) ?? SharedObject(id: lock, kind: .mutex)
    }
    let threads = [one, other].map { nesting in
      var thread = participant(nesting.dependency, known)
      thread.wants = thread.wants.map { known($0).id }
      thread.holds = thread.holds.compactMap { hold in
        names[hold.object].map {
          Finding.HeldObject(object: $0.id, mode: hold.mode, frames: hold.frames)
        }
      }
      return thread
    }
    let isOneAfterTheOther = first == Edge(from: second.to, to: second.from)
    let fact =
      isOneAfterTheOther
      ? "the run that was watched had one of the two before the other"
      : "the run that was watched had other locks of the same classes for each of the two"
    let title = [outer, inner, outer].map(\.displayName).joined(separator: " → ")
    return Finding(
      kind: .lockOrderCycle, status: .potential, title: "Lock order cycle: \(title)",
      participants: threads, objects: [outer, inner], facts: [.init(fact)],
      tests: one.tests(with: other))
  }
}
