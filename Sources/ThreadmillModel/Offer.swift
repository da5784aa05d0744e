/// What a strand of an exploration does at an operation point.
///
/// The numbers are part of schedule strings: they stay, and new ones are below 32.
package enum OperationKind: UInt8, CaseIterable, Sendable {
  case lock = 0
  /// Takes it if it is free.
  case tryLock = 1
  /// Takes a reader's share.
  case share = 2
  case unlock = 3
  /// Waits for a semaphore, a condition, a group or a barrier.
  case wait = 4
  case signal = 5
  case broadcast = 6
  /// Gives a block or a job to a queue.
  case submit = 7
  /// The beginning of a thread, a block or a job.
  case begin = 8
  case end = 9
  case spawn = 10
  case join = 11
  case sleep = 12
  /// Gives the processor up, as a spinning loop does, so that another strand gets the turn.
  case yield = 13
  /// A place where the program allows a switch, and staying is as good.
  case point = 14
  case read = 15
  case write = 16
  /// An atomic access that may change the value.
  case update = 17
  case once = 18
  /// Enters a group.
  case enter = 19
  case leave = 20
  case suspend = 21
  case resume = 22
  case cancel = 23
  case create = 24
  case destroy = 25
  /// A task goes on to another actor, or away from one, without a job of its own.
  case hop = 26
  /// Takes something from a file: a pipe, a socket, an eventfd.
  case receive = 27
  /// Gives something to a file, or makes it ready for others in another way.
  case send = 28
  /// Closes a file.
  case close = 29
  /// Goes on behind the call that gave work to a queue, or started a thread or a task: that may be
  /// over by then.
  case goOn = 30
  case other = 31

  /// Whether the operation is on a file. All files count as one object.
  package var isOnFile: Bool { self == .receive || self == .send || self == .close }
}

/// One thing that a strand is about to do, as a strategy sees it.
package struct Offer: Hashable, Sendable {
  /// The object of the operation, numbered from 1 in the order of first appearance; 0 for none. See
  /// ``submitted``.
  package var object: UInt64
  /// The strand that does it, a thread or a task, numbered from 0 in the order of first appearance
  /// within the schedule.
  package var strand: UInt32
  package var operation: OperationKind
  /// Whether it changes the object. Two operations that only read it may swap places.
  package var writes: Bool
  /// A bit for each line that the exploration is led to, at which the strand stands.
  package var lines: UInt16
  /// The place in the program, numbered from 1 in the order of first appearance within the
  /// exploration; 0 for a place that is not known.
  package var place: UInt32

  package init(
    strand: UInt32, _ operation: OperationKind, object: UInt64 = 0, writes: Bool = true,
    lines: UInt16 = 0, place: UInt32 = 0
  ) {
    self.object = object
    self.strand = strand
    self.operation = operation
    self.writes = writes
    self.lines = lines
    self.place = place
  }

  /// The strand that was submitted or started, for a strand that goes on behind that: the gate
  /// gives such a step that strand as its object, with a number above those of all others.
  package var submitted: UInt32? {
    operation == .goOn ? UInt32(truncatingIfNeeded: object) : nil
  }

  /// Whether the order of the two operations matters.
  @inlinable
  package func races(with other: Offer) -> Bool {
    object == other.object && object != 0 && strand != other.strand && (writes || other.writes)
  }
}

/// How one schedule ended.
package enum ScheduleOutcome: Sendable {
  case completed
  /// Something was found, a deadlock included. The program need not have come to its end.
  case failed
  /// Stopped at the limit of steps.
  case cut
}
