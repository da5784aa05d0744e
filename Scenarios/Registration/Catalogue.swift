extension Scenario {
  /// Every scenario there is, in the order of the hazard catalogue.
  package static let all: [Scenario] =
    dataRaces + atomicity + deadlocks + priority + misuse + silent

  private static let dataRaces: [Scenario] = [brokenConfinement, unownedSetter]

  private static let atomicity: [Scenario] = [earlyNotify, cancelledLeave]

  private static let deadlocks: [Scenario] = [
    syncOnCurrentQueue, mainSyncFromMain, syncThroughTarget, mutualQueueSync, hammerAndSaw,
    oppositeTransfer, threeLockRing, lockAndQueue, relock, upgradeReadLock, cancelUnderLock,
    callbackUnderLock, operationCycle, waitInsideQueue, neverFinishedOperation, missingSignal,
    missingLeave, groupWaitOnOwnQueue, completionOnBlockedQueue,
    lockAcrossAwait, starvedPool, threadExplosion, droppedContinuation,
  ]

  private static let priority: [Scenario] = [
    semaphoreInversion, lockInversion, queueInversion, raisedQueue,
  ]

  private static let misuse: [Scenario] = [
    unbalancedLeave, operationTwice, cancelBeforeStart, semaphoreFreedInUse, suspendedRelease,
    resumedTwice, blockedMain,
  ]

  private static let silent: [Scenario] = [
    gateLock, oneThreadBothOrders, orderedByJoin, tryLockBackoff, recursiveRelock, reusedAddress,
    contendedMutex, continuationHandoff, barrierWorkItem, semaphoreAsEvent, ownQueueSync,
    handOverHand, qosMatchedWait,
  ]

  /// The scenario with this identifier; `nil` if there is none.
  package static func named(_ id: String) -> Scenario? { all.first { $0.id == id } }
}
