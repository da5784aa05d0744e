extension Scenario {
  /// Every scenario there is, in the order of the hazard catalogue.
  package static let all: [Scenario] =
    dataRaces + atomicity + memory + deadlocks + priority + misuse + silent

  private static let dataRaces: [Scenario] = [
    unsafeCounter, quietCounter, lazyInit, arrayAppend, sharedError, compoundResult,
    pendingDictionary, operationState, exitBeforeJoin, sharedRecord, bypassedBarrier, lateWrite,
    doubleCheckedFlag, brokenConfinement, unownedSetter,
  ]

  private static let atomicity: [Scenario] = [
    syncedAccessors, checkThenAct, actorReentrancy, readThenBarrier, staleDelivery, earlyNotify,
    ignoredCancel, cancelledLeave, loadThenStore, twoStepMutex,
  ]

  private static let memory: [Scenario] = [
    relaxedFlag, dekkerFlags, petersonLock, lazyPointer, ringTail, sequenceLock, lastOwner,
    spinLock, treiberStack, chaseLev, isLoaded,
  ]

  private static let deadlocks: [Scenario] = [
    syncOnCurrentQueue, mainSyncFromMain, syncThroughTarget, mutualQueueSync, hammerAndSaw,
    oppositeTransfer, threeLockRing, lockAndQueue, relock, upgradeReadLock, operationCycle,
    waitInsideQueue, groupWaitOnOwnQueue, completionOnBlockedQueue, missingSignal, missingLeave,
    neverFinishedOperation, lostWakeup, starvedPool, threadExplosion, cancelUnderLock,
    callbackUnderLock, lockAcrossAwait, lostDemand, droppedContinuation, onceAndLock,
    waitForMainActor, oppositeMutexes, mutexAndQueue, mutexAcrossAwait, mutexRelock,
    resumeUnderMutex, yieldUnderLock, yieldUnderMutex, cancelledBetweenLetters,
    cancelledBetweenJobs,
  ]

  private static let priority: [Scenario] = [
    semaphoreInversion, lockInversion, queueInversion, raisedQueue,
  ]

  private static let misuse: [Scenario] = [
    unbalancedLeave, operationTwice, semaphoreFreedInUse, cancelBeforeStart, resumedTwice,
    suspendedRelease, blockedMain, endedOwner,
  ]

  private static let silent: [Scenario] = [
    gateLock, oneThreadBothOrders, orderedByJoin, tryLockBackoff, recursiveRelock, reusedAddress,
    contendedMutex, continuationHandoff, barrierWorkItem, semaphoreAsEvent, ownQueueSync,
    handOverHand, qosMatchedWait, mutexAsGate, mutexBackoff, reusedMutex,
  ]

  /// The scenario with this identifier; `nil` if there is none.
  package static func named(_ id: String) -> Scenario? { all.first { $0.id == id } }
}
