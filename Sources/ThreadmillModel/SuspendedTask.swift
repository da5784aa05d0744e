/// A Swift task that is suspended, and what it waits for.
package struct SuspendedTask: Sendable, Equatable {
  package enum Awaited: Sendable, Equatable {
    /// A continuation that no thread has resumed; `nil` where it has no identity in reports.
    case continuation(SharedObject? = nil)
    /// The end of the task with this number; `nil` if the number is unknown.
    case task(UInt32?)
    /// The tasks of its task group.
    case group
    /// Its turn on an actor; `nil` for a thread, or another executor.
    case turn(on: SharedObject?)
    case unknown
  }

  /// The task's number in its process.
  package var number: UInt32
  package var awaited: Awaited
  /// The place where the task goes on, then those of its callers.
  package var place: Backtrace
  /// The place where the task was started; empty if unknown.
  package var created: Backtrace
  /// The task in whose group it is.
  package var parent: UInt32?
  /// The tests that the task works for, if they still run.
  package var tests: [String]
  /// Whether a test, or the body of an exploration, is this task: it cannot end before the task.
  package var isRoot: Bool
  /// Whether the user's code made the continuation, and not a library.
  package var awaitsUsersContinuation: Bool

  package init(
    number: UInt32, awaited: Awaited, place: Backtrace = [], created: Backtrace = [],
    parent: UInt32? = nil, tests: [String] = [], isRoot: Bool = false,
    awaitsUsersContinuation: Bool = false
  ) {
    (self.number, self.awaited, self.place) = (number, awaited, place)
    (self.created, self.parent, self.tests) = (created, parent, tests)
    (self.isRoot, self.awaitsUsersContinuation) = (isRoot, awaitsUsersContinuation)
  }
}
