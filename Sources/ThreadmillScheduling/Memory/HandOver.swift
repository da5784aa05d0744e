/// A store to an atomic variable, and the load of it by another strand, with orders that are too
/// weak for the memory that they hand over.
package struct HandOver: Sendable, Equatable {
  /// One access of a run to an atomic variable, or a fence.
  package struct Access: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      case store
      /// Reads, and perhaps stores as well. The step made the store that is read; 0 is the initial
      /// value.
      case load(of: Int)
      case fence
    }

    package var kind: Kind
    package var step: Int
    package var strand: UInt32
    package var order: MemoryOrder

    package init(_ kind: Kind, step: Int, strand: UInt32, _ order: MemoryOrder) {
      (self.kind, self.step, self.strand, self.order) = (kind, step, strand, order)
    }
  }

  /// One access of a run to other memory.
  package struct Use: Sendable, Equatable {
    package var step: Int
    package var strand: UInt32

    package init(step: Int, strand: UInt32) { (self.step, self.strand) = (step, strand) }
  }

  package let store: Access
  package let load: Access
  /// Whether the store, with the fences before it, releases what its strand did before.
  package let releases: Bool
  /// Whether the load, with the fences behind it, acquires that for its strand.
  package let acquires: Bool

  /// The last store between two uses, of different strands, that the second strand has loaded
  /// before its use, with orders that are too weak; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - before, after: what may be the first use, and the second one.
  ///   - accesses: all of the run, in their order.
  package init?(from before: [Use], to after: [Use], by accesses: [Access]) {
    let fences = accesses.filter { $0.kind == .fence }
    let others = accesses.filter { $0.kind != .fence }
    let bySteps = Dictionary(others.map { ($0.step, $0) }) { first, _ in first }
    for load in others.reversed() {
      guard case .load(let read) = load.kind, let store = bySteps[read],
        store.strand != load.strand,
        let first = before.last(where: { $0.strand == store.strand && $0.step < store.step }),
        let second = after.first(where: { $0.strand == load.strand && $0.step > load.step })
      else { continue }
      let releases =
        store.order.releases
        || fences.contains {
          $0.order.releases && $0.strand == store.strand
            && (first.step...store.step).contains($0.step)
        }
      let acquires =
        load.order.acquires
        || fences.contains {
          $0.order.acquires && $0.strand == load.strand
            && (load.step...second.step).contains($0.step)
        }
      if releases, acquires { continue }
      (self.store, self.load, self.releases, self.acquires) = (store, load, releases, acquires)
      return
    }
    return nil
  }
}
