extension Happening {
  /// A group is left more often than it was entered. libdispatch is about to trap.
  package struct GroupOverleft: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var group: SharedObject
    /// The latest first.
    package var enters: [PastStep]
    /// The latest first.
    package var leaves: [PastStep]

    package init(
      thread: ThreadSnapshot, group: SharedObject, enters: [PastStep] = [], leaves: [PastStep] = []
    ) {
      self.thread = thread
      self.group = group
      self.enters = enters
      self.leaves = leaves
    }
  }

  /// A group that no thread ever waited for is gone, and its first user asked for its end before
  /// entering it.
  package struct GroupNotifiedEarly: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var group: SharedObject
    /// The call that asked for the end.
    package var notified: PastStep
    /// The first enter.
    package var entered: PastStep

    package init(
      thread: ThreadSnapshot, group: SharedObject, notified: PastStep, entered: PastStep
    ) {
      self.thread = thread
      self.group = group
      self.notified = notified
      self.entered = entered
    }
  }

  /// A thread waits for a group without a limit, and blocks of the group are in a serial queue that
  /// only this thread can go on with.
  package struct GroupAwaitedInside: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var group: SharedObject
    /// The queue that the blocks were given to, and its targets up to the one that needs this
    /// thread, which is the last.
    package var queues: [SharedObject]
    /// That queue is the main queue, and this is the main thread.
    package var isOnMain: Bool
    /// The places where the blocks were submitted.
    package var blocks: [PastStep]

    package init(
      thread: ThreadSnapshot, group: SharedObject, queues: [SharedObject], isOnMain: Bool,
      blocks:
        [PastStep] = []
    ) {
      self.thread = thread
      self.group = group
      self.queues = queues
      self.isOnMain = isOnMain
      self.blocks = blocks
    }
  }
}
