import ThreadmillModel

/// Every detector that is fed with happenings, and which of them are switched on.
///
/// The lock graph and the wait-for graph are fed with events of their own and stand beside it.
package struct Detectors: Sendable {
  /// The kinds of findings that are not looked for.
  private let off: Set<Finding.Kind>
  private let groups = GroupMisuse()
  private let releases = ReleaseMisuse()
  private let priorities = PriorityInversion()
  private var confinements = BrokenConfinement()
  private var mainQueue = BlockedMainQueue()
  private var crashes = Crash()
  private var suspensions = SuspensionMisuse()
  private var pools = PoolStarvation()
  private var continuations = ContinuationMisuse()
  private let operations = OperationMisuse()
  /// Fed with dependencies as well.
  package var operationCycles = OperationCycles()

  package init(without off: Set<Finding.Kind>) { self.off = off }

  /// Takes note of what any detector has found.
  package mutating func found(_ finding: Finding) { crashes.found(finding) }

  package func looksFor(_ kind: Finding.Kind) -> Bool { !off.contains(kind) }

  /// What a happening means. Each kind goes to one detector.
  package mutating func happened(_ happening: Happening) -> [Finding] {
    let found: [Finding?] =
      switch happening.kind {
      case .groupOverleft: [groups.overleft(happening)]
      case .priorityInverted: [priorities.inverted(happening)]
      case .queueRaised: [priorities.raised(happening)]
      case .confinementBroken: [confinements.broken(happening)]
      case .crashed: [crashes.died(happening)]
      case .mainQueueHeld: [mainQueue.held(happening)]
      case .mainThreadWaited: [mainQueue.waited(happening)]
      case .lockKept: [suspensions.lockKept(happening)]
      case .jobBlocked: [pools.jobBlocked(happening)]
      case .resumedTwice: [continuations.resumedTwice(happening)]
      case .continuationDropped: [continuations.dropped(happening)]
      case .groupNotifiedEarly: [groups.notifiedEarly(happening)]
      case .semaphoreFreedInUse: [releases.semaphoreInUse(happening)]
      case .suspendedReleased: [releases.suspended(happening)]
      case .operationsInCycle: [operationCycles.cycle(happening)]
      case .operationUsedAgain: [operations.usedAgain(happening)]
      case .operationFinishedEarly: [operations.finishedEarly(happening)]
      case .operationRevived: [operations.revived(happening)]
      case .operationAwaitedInside: [operations.awaitedInside(happening)]
      case .groupAwaitedInside: [groups.awaitedInside(happening)]
      }
    return found.compactMap { $0 }.filter { looksFor($0.kind) }
  }

  /// What it means that no thread of a pool can take on the work that waits for one.
  package func starved(
    _ starvation: Starvation, describe: (LockID) -> SharedObject?
  ) -> [Finding] {
    looksFor(.poolStarvation) ? [pools.starved(starvation, describe: describe)] : []
  }
}
