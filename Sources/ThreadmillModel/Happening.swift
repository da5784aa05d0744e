/// Something that a thread did and that one of the detectors of misuse wants to know of.
///
/// The gate knows the facts, a detector knows what they mean. Which objects, places and numbers
/// there are is up to the kind.
package struct Happening: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A group is left more often than it was entered: the group; where it was entered, then where
    /// it was left, each newest first; how many of the places are enters.
    case groupOverleft
    /// A strand waited for one of lower quality of service: the object; that one, then what ran in
    /// between; for the numbers see ``ThreadmillDetection``'s `PriorityInversion`.
    case priorityInverted
    /// Work of a higher quality than its queue waited behind a backlog: the queue; who submitted
    /// it.
    case queueRaised
    /// What belongs to a queue or an actor is used elsewhere: the confined object, its place, which
    /// for an actor has no identity; the number of the thread that confined it.
    case confinementBroken
    /// The thread dies of a signal: its number.
    case crashed
    /// A block on the main queue kept others waiting for longer than the limit: the queue; where it
    /// was submitted, then where some others were; milliseconds, how many others.
    case mainQueueHeld
    /// A wait of the main thread did: what it waited for; where some of the others were submitted;
    /// milliseconds, how many others.
    case mainThreadWaited
    /// A job of the Swift runtime ends with a lock that its thread took meanwhile: the lock, and
    /// where the job's task goes on, if that is known.
    case lockKept
    /// A task blocks the thread that it shares with others: the object that it waits for; without
    /// one it sleeps, so many milliseconds.
    case jobBlocked
    /// A continuation is resumed again: where it was resumed first and where it was made, either
    /// perhaps empty; the number of the thread that did the first.
    case resumedTwice
    /// The last reference to a continuation goes away, and nobody has resumed it: where
    /// that is with the callers that await it, if it is in the task's own function.
    case continuationDropped
    /// A group is gone that nobody waited for after its end was asked for, before the first enter:
    /// the group; where its end was asked for, where it was entered.
    case groupNotifiedEarly
    /// The last reference to a semaphore goes while its value is below the initial one: the
    /// semaphore; where it was waited for, then where it was signalled, each newest first; value,
    /// initial value, how many of the places are waits.
    case semaphoreFreedInUse
    /// The last reference to a suspended queue or source goes: the object; where it was suspended,
    /// if it was; 1 if it was never activated.
    case suspendedReleased
    /// Operations wait for each other, each for the next and the last for the first: the
    /// operations. Places: where each was told to. Numbers: how many there are.
    case operationsInCycle
    /// An operation is about to trap because it is used a second time: the operation. Numbers:
    /// whether it is started now (else it is put into a queue), the state it is in, the thread that
    /// used it first. Places: where that was, if known.
    case operationUsedAgain
    /// An operation calls itself finished that its queue has not started: the operation. Numbers:
    /// whether it is cancelled.
    case operationFinishedEarly
    /// An operation that was seen to finish calls itself executing: the operation.
    case operationRevived
    /// A thread waits for the first operation, which cannot come before the end of the last; that
    /// runs on this thread. Numbers: why (``OperationHindrance``).
    case operationAwaitedInside
    /// A thread waits for a group without a limit, and only this thread can go on with the serial
    /// queue that blocks of the group are in: the group, then the queue that they were given to and
    /// its targets up to that one. Places: where those blocks were submitted. Numbers: whether that
    /// is the main queue and this the main thread.
    case groupAwaitedInside
  }

  /// Why an operation that is waited for inside another one cannot come.
  package enum OperationHindrance: UInt64, Sendable, CaseIterable {
    /// It is the one that runs.
    case itself
    /// It waits, through those between, for the one that runs.
    case dependency
    /// Both are in one queue that runs one at a time.
    case queue
    /// It is in the main queue, and it is the main thread that waits.
    case main
  }

  package var kind: Kind
  /// Who did it, and what the thread holds.
  package var thread: ThreadSnapshot
  /// What it was done to.
  package var objects: [SharedObject]
  /// Other places that belong to it.
  package var places: [Backtrace]
  /// Whose those places are, in the same order; `nil` where that is unknown.
  package var placeThreads: [ThreadID?]
  /// Other threads that take part.
  package var others: [ThreadSnapshot]
  package var numbers: [UInt64]

  package init(
    kind: Kind, thread: ThreadSnapshot, objects: [SharedObject] = [], places: [Backtrace] = [],
    placeThreads: [ThreadID?] = [], others: [ThreadSnapshot] = [], numbers: [UInt64] = []
  ) {
    self.kind = kind
    self.thread = thread
    self.objects = objects
    self.places = places
    self.placeThreads = placeThreads
    self.others = others
    self.numbers = numbers
  }
}
