/// Something that a thread did and that one of the detectors of misuse wants to know of.
///
/// The gate knows the facts, a detector knows what they mean. Which objects, places and numbers
/// there are is up to the kind.
package struct Happening: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A group is left more often than it was entered: the group.
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
  /// Other threads that take part.
  package var others: [ThreadSnapshot]
  package var numbers: [UInt64]

  package init(
    kind: Kind, thread: ThreadSnapshot, objects: [SharedObject] = [], places: [Backtrace] = [],
    others: [ThreadSnapshot] = [], numbers: [UInt64] = []
  ) {
    self.kind = kind
    self.thread = thread
    self.objects = objects
    self.places = places
    self.others = others
    self.numbers = numbers
  }
}
