extension Happening {
  /// One block kept the main queue for longer than the limit, while others were queued.
  package struct MainQueueHeld: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var queue: SharedObject
    /// The place where the block was submitted.
    package var submitted: Backtrace
    /// An address in the function that the block ran.
    package var function: UInt64?
    package var waiters: MainQueueWaiters

    package init(
      thread: ThreadSnapshot, queue: SharedObject, submitted: Backtrace, function: UInt64? = nil,
      waiters: MainQueueWaiters
    ) {
      self.thread = thread
      self.queue = queue
      self.submitted = submitted
      self.function = function
      self.waiters = waiters
    }
  }

  /// One wait of the main thread kept the main queue for longer than the limit.
  package struct MainThreadWaited: Sendable, Equatable {
    package var thread: ThreadSnapshot
    /// The object that the thread waited for.
    package var object: SharedObject
    package var waiters: MainQueueWaiters

    package init(thread: ThreadSnapshot, object: SharedObject, waiters: MainQueueWaiters) {
      self.thread = thread
      self.object = object
      self.waiters = waiters
    }
  }

  /// Blocks that were queued on the main queue while something kept it.
  package struct MainQueueWaiters: Sendable, Equatable {
    /// The time for which the queue was kept.
    package var milliseconds: UInt64
    /// All blocks that were queued at the end.
    package var count: Int
    /// The places where some of them were submitted.
    package var submitted: [Backtrace]

    package init(milliseconds: UInt64, count: Int, submitted: [Backtrace] = []) {
      self.milliseconds = milliseconds
      self.count = count
      self.submitted = submitted
    }
  }
}
