import ThreadmillModel

/// Every detector that is fed with happenings, and which of them are switched on.
///
/// The lock graph and the wait-for graph are fed with events of their own and stand beside it.
package struct Detectors: Sendable {
  /// The kinds of findings that are not looked for.
  private let off: Set<Finding.Kind>
  private var groups = GroupMisuse()
  private let priorities = PriorityInversion()
  private var confinements = BrokenConfinement()
  private let operations = OperationMisuse()
  /// Fed with dependencies as well.
  package var operationCycles = OperationCycles()

  package init(without off: Set<Finding.Kind>) { self.off = off }

  package func looksFor(_ kind: Finding.Kind) -> Bool { !off.contains(kind) }

  /// What a happening means. Each kind goes to one detector.
  package mutating func happened(_ happening: Happening) -> [Finding] {
    let found: [Finding?] =
      switch happening.kind {
      case .groupOverleft: [groups.overleft(happening)]
      case .priorityInverted: [priorities.inverted(happening)]
      case .queueRaised: [priorities.raised(happening)]
      case .confinementBroken: [confinements.broken(happening)]
      case .operationsInCycle: [operationCycles.cycle(happening)]
      case .operationUsedAgain: [operations.usedAgain(happening)]
      case .operationFinishedEarly: [operations.finishedEarly(happening)]
      case .operationRevived: [operations.revived(happening)]
      case .operationAwaitedInside: [operations.awaitedInside(happening)]
      }
    return found.compactMap { $0 }.filter { looksFor($0.kind) }
  }
}
