import ThreadmillModel

/// All detectors that get happenings, and the kinds of findings that are switched off.
///
/// The lock graph and the wait-for graph get events of their own and are not part of it.
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
  private let owners = EndedOwner()
  private let locks = LockMisuse()
  /// Gets the dependencies between operations as well.
  package var operationCycles = OperationCycles()

  package init(without off: Set<Finding.Kind>) { self.off = off }

  /// Remembers a finding of any detector, so that a crash that follows from it is not told again.
  package mutating func found(_ finding: Finding) { crashes.found(finding) }

  package func looksFor(_ kind: Finding.Kind) -> Bool { !off.contains(kind) }

  /// Passes a happening to the one detector for its kind, and returns the findings.
  package mutating func happened(_ happening: Happening) -> [Finding] {
    let found: Finding? =
      switch happening {
      case .groupOverleft(let event): groups.overleft(event)
      case .priorityInverted(let event): priorities.inverted(event)
      case .queueRaised(let event): priorities.raised(event)
      case .confinementBroken(let event): confinements.broken(event)
      case .crashed(let event): crashes.died(event)
      case .mainQueueHeld(let event): mainQueue.held(event)
      case .mainThreadWaited(let event): mainQueue.waited(event)
      case .lockKept(let event): suspensions.lockKept(event)
      case .jobBlocked(let event): pools.jobBlocked(event)
      case .jobSleeps(let event): pools.jobSleeps(event)
      case .resumedTwice(let event): continuations.resumedTwice(event)
      case .continuationDropped(let event): continuations.dropped(event)
      case .groupNotifiedEarly(let event): groups.notifiedEarly(event)
      case .semaphoreFreedInUse(let event): releases.semaphoreInUse(event)
      case .suspendedReleased(let event): releases.suspended(event)
      case .operationsInCycle(let event): operationCycles.cycle(event)
      case .operationUsedAgain(let event): operations.usedAgain(event)
      case .operationFinishedEarly(let event): operations.finishedEarly(event)
      case .operationRevived(let event): operations.revived(event)
      case .operationAwaitedInside(let event): operations.awaitedInside(event)
      case .groupAwaitedInside(let event): groups.awaitedInside(event)
      case .ownerEnded(let event): owners.awaited(event)
      case .lockMisused(let event): locks.misused(event)
      }
    return found.map { looksFor($0.kind) ? [$0] : [] } ?? []
  }

  /// Returns the finding about a pool in which work waits, and no thread can take it on.
  package func starved(
    _ starvation: Starvation, describe: (LockID) -> SharedObject?
  ) -> [Finding] {
    looksFor(.poolStarvation) ? [pools.starved(starvation, describe: describe)] : []
  }
}
