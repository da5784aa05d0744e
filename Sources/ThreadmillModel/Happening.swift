/// An event on a thread that one of the detectors of misuse judges.
///
/// The gate knows the facts; a detector knows their meaning. Each kind has a payload of its own.
package enum Happening: Sendable, Equatable {
  case groupOverleft(GroupOverleft)
  case priorityInverted(PriorityInverted)
  case queueRaised(QueueRaised)
  case confinementBroken(ConfinementBroken)
  case crashed(Crashed)
  case mainQueueHeld(MainQueueHeld)
  case mainThreadWaited(MainThreadWaited)
  case lockKept(LockKept)
  case jobBlocked(JobBlocked)
  case jobSleeps(JobSleeps)
  case resumedTwice(ResumedTwice)
  case continuationDropped(ContinuationDropped)
  case groupNotifiedEarly(GroupNotifiedEarly)
  case semaphoreFreedInUse(SemaphoreFreedInUse)
  case suspendedReleased(SuspendedReleased)
  case operationsInCycle(OperationsInCycle)
  case operationUsedAgain(OperationUsedAgain)
  case operationFinishedEarly(OperationFinishedEarly)
  case operationRevived(OperationRevived)
  case operationAwaitedInside(OperationAwaitedInside)
  case groupAwaitedInside(GroupAwaitedInside)
  case ownerEnded(OwnerEnded)
  case lockMisused(LockMisused)

  /// A place that a thread passed before, and the thread if that is known.
  package struct PastStep: Sendable, Equatable {
    package var place: Backtrace
    package var thread: ThreadID?

    package init(at place: Backtrace, by thread: ThreadID? = nil) {
      self.place = place
      self.thread = thread
    }
  }
}
