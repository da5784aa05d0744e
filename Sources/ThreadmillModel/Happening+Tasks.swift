extension Happening {
  /// A job of the Swift runtime ends with a lock that its thread took meanwhile.
  package struct LockKept: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var lock: SharedObject
    /// The place where the job's task goes on; empty if unknown.
    package var awaits: Backtrace

    package init(thread: ThreadSnapshot, lock: SharedObject, awaits: Backtrace = []) {
      self.thread = thread
      self.lock = lock
      self.awaits = awaits
    }
  }

  /// A task blocks the thread that it shares with other tasks, and waits.
  package struct JobBlocked: Sendable, Equatable {
    package enum Awaited: Sendable, Equatable {
      case object(SharedObject)
      /// The end of a thread; `nil` if the gate does not know the thread.
      case endOfThread(ThreadID?)
    }

    package var thread: ThreadSnapshot
    package var awaited: Awaited

    package init(thread: ThreadSnapshot, awaited: Awaited) {
      self.thread = thread
      self.awaited = awaited
    }
  }

  /// A task blocks the thread that it shares with other tasks, and sleeps.
  package struct JobSleeps: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var milliseconds: UInt64

    package init(thread: ThreadSnapshot, milliseconds: UInt64) {
      self.thread = thread
      self.milliseconds = milliseconds
    }
  }

  /// A continuation is resumed again. The result is undefined, or a trap.
  package struct ResumedTwice: Sendable, Equatable {
    package var thread: ThreadSnapshot
    /// The first resumption; its place is empty if unknown.
    package var before: PastStep
    /// The place where the continuation was made; empty if unknown.
    package var made: Backtrace

    package init(thread: ThreadSnapshot, before: PastStep, made: Backtrace = []) {
      self.thread = thread
      self.before = before
      self.made = made
    }
  }

  /// The last reference to a continuation goes away before any resumption.
  package struct ContinuationDropped: Sendable, Equatable {
    package var thread: ThreadSnapshot
    /// The place with the callers that await it; empty if it is not in the task's own function.
    package var awaits: Backtrace

    package init(thread: ThreadSnapshot, awaits: Backtrace = []) {
      self.thread = thread
      self.awaits = awaits
    }
  }
}
