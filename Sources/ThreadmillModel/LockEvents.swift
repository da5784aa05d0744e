/// Whether a hold excludes all other threads, or only writers.
package enum HoldMode: String, Sendable, CaseIterable {
  case exclusive, shared

  /// Returns whether two holders, one in each mode, exclude each other.
  package func excludes(_ other: HoldMode) -> Bool { self == .exclusive || other == .exclusive }
}

/// One object that a thread holds.
package struct Hold: Hashable, Sendable {
  package var lock: LockID
  package var mode: HoldMode
  /// The place where it was taken: the innermost frames, cheap enough to keep for every hold.
  package var site: Backtrace
  package var isMainQueue: Bool

  package init(
    lock: LockID, mode: HoldMode = .exclusive, site: Backtrace = [], isMainQueue: Bool = false
  ) {
    self.lock = lock
    self.mode = mode
    self.site = site
    self.isMainQueue = isMainQueue
  }
}

/// A thread that holds something is about to wait for something else.
///
/// `held` is everything held at that moment, outermost first. A try-lock never waits, so it makes
/// no event; the lock that it took appears in `held` of later events.
package struct NestedAcquisition: Sendable {
  package var thread: ThreadID
  package var threadName: String?
  package var moment: Moment
  package var held: [Hold]
  package var wanted: Hold
  package var stack: Backtrace
  /// The tests that were known to run this code, by their display names.
  package var tests: [String]
  /// The place where the running code was submitted; empty for a thread's own code.
  package var submitted: Backtrace
  /// The block or job that runs; `nil` for a thread's own code.
  package var runs: Execution?

  package init(
    thread: ThreadID, threadName: String? = nil, moment: Moment, held: [Hold], wanted: Hold,
    stack: Backtrace = [], tests: [String] = [], submitted: Backtrace = [], runs: Execution? = nil
  ) {
    self.thread = thread
    self.threadName = threadName
    self.moment = moment
    self.held = held
    self.wanted = wanted
    self.stack = stack
    self.tests = tests
    self.submitted = submitted
    self.runs = runs
  }
}

/// The objects that one thread waits for and holds, at an instant at which none of them changed.
package struct ThreadSnapshot: Sendable, Equatable {
  package var thread: ThreadID
  package var name: String?
  package var held: [Hold]
  /// The object that it waits for; `nil` if it waits for none, or with a time limit.
  package var waitsFor: Hold?
  /// The thread whose end it waits for (a join), or `nil`.
  package var joins: ThreadID?
  package var stack: Backtrace
  package var tests: [String]
  /// The quality of service that was chosen for the running code; `nil` if none was chosen.
  package var quality: Quality?
  /// The place where that code was submitted, for a block or a job; empty for a thread's own code.
  package var submitted: Backtrace
  /// The block or job that runs; `nil` for a thread's own code.
  package var runs: Execution?

  package init(
    thread: ThreadID, name: String? = nil, held: [Hold], waitsFor: Hold? = nil,
    joins: ThreadID? = nil, stack: Backtrace = [], tests: [String] = [], quality: Quality? = nil,
    submitted: Backtrace = [], runs: Execution? = nil
  ) {
    self.thread = thread
    self.name = name
    self.held = held
    self.waitsFor = waitsFor
    self.joins = joins
    self.stack = stack
    self.tests = tests
    self.quality = quality
    self.submitted = submitted
    self.runs = runs
  }
}
