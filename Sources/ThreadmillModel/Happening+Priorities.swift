extension Happening {
  /// A strand waited for a strand of lower quality of service, or of lower rank.
  package struct PriorityInverted: Sendable, Equatable {
    /// The part of the other side in the wait.
    package enum OthersPart: Sendable {
      /// The other side had the object when the wait began.
      case hadObject
      /// The other side ended the wait. This alone is known of objects without an owner.
      case endedWait
    }

    /// The ranks by which the system chooses between the two threads.
    package struct Ranks: Sendable, Equatable {
      package var waiter: SchedulingRank
      package var other: SchedulingRank

      package init(waiter: SchedulingRank, other: SchedulingRank) {
        self.waiter = waiter
        self.other = other
      }
    }

    package var thread: ThreadSnapshot
    /// The object that the strand waited for.
    package var object: SharedObject
    /// The length of the wait.
    package var nanoseconds: UInt64
    /// The wait reached the limit from which it does harm.
    package var isHarmful: Bool
    /// The wait had a time limit.
    package var isLimited: Bool
    package var othersPart: OthersPart
    /// The other side waited for something itself.
    package var otherWaits: Bool
    /// The ranks of the two threads, if ranks and not qualities of service were compared.
    package var ranks: Ranks?
    /// The side that the strand waited for. Its stack is where it took the object or ended the
    /// wait.
    package var other: ThreadSnapshot
    /// Strands that ran meanwhile, with a quality between the two.
    package var between: [ThreadSnapshot]

    package init(
      thread: ThreadSnapshot, object: SharedObject, nanoseconds: UInt64, isHarmful: Bool,
      isLimited:
        Bool = false, othersPart: OthersPart, otherWaits: Bool = false, ranks: Ranks? = nil,
      other:
        ThreadSnapshot, between: [ThreadSnapshot] = []
    ) {
      self.thread = thread
      self.object = object
      self.nanoseconds = nanoseconds
      self.isHarmful = isHarmful
      self.isLimited = isLimited
      self.othersPart = othersPart
      self.otherWaits = otherWaits
      self.ranks = ranks
      self.other = other
      self.between = between
    }
  }

  /// Work of a higher quality than its queue begins, after a backlog that was submitted before it.
  package struct QueueRaised: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var queue: SharedObject
    /// The queue's quality of service.
    package var quality: Quality
    /// The time from the submission to the begin.
    package var nanoseconds: UInt64
    /// The wait reached the limit from which it does harm.
    package var isHarmful: Bool
    /// The number of blocks that were submitted before.
    package var backlog: Int
    package var submitter: ThreadSnapshot

    package init(
      thread: ThreadSnapshot, queue: SharedObject, quality: Quality, nanoseconds: UInt64,
      isHarmful:
        Bool, backlog: Int, submitter: ThreadSnapshot
    ) {
      self.thread = thread
      self.queue = queue
      self.quality = quality
      self.nanoseconds = nanoseconds
      self.isHarmful = isHarmful
      self.backlog = backlog
      self.submitter = submitter
    }
  }
}
