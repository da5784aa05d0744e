/// A moment at which no watched thread moves, and no event from outside can change that.
package struct Standstill: Sendable {
  /// One statement about an object that the states of the threads do not contain.
  package struct Fact: Sendable, Equatable {
    package enum Statement: Sendable, Equatable {
      /// A block waits for its turn on the queue, and belongs to the group if there is one.
      case queued(group: SharedObject? = nil)
      /// The group was entered and not left since.
      case entered(by: ThreadID)
      /// The semaphore is at 0, and was made with the initial value.
      case value(initial: Int)
      /// The last signal of the semaphore.
      case signalled(by: ThreadID)
      /// One of the last waits for the semaphore that got through.
      case passed(by: ThreadID)
      /// The operation does not start before the other one has finished.
      case dependent(on: SharedObject)
      /// The operation has not finished. `nil`: a state that this version does not know.
      case unfinished(OperationState?, queue: Queue)
    }

    /// The queue of an operation that has not begun.
    package enum Queue: Sendable, CaseIterable {
      case none
      case suspended
      case active
    }

    package var object: SharedObject
    package var statement: Statement
    /// The place of the submission, enter, signal or wait.
    package var place: Backtrace

    package init(_ object: SharedObject, _ statement: Statement, at place: Backtrace = []) {
      self.object = object
      self.statement = statement
      self.place = place
    }
  }

  /// The waiting threads, each with the object that it waits for, whether a thread holds that or
  /// not. Threads that are idle by design are left out.
  package var threads: [ThreadSnapshot]
  package var facts: [Fact]
  /// The tasks that are suspended, and may be waited for.
  package var tasks: [SuspendedTask]
  /// Threads, facts and tasks that there was no room for.
  package var leftOut: Int

  package init(
    threads: [ThreadSnapshot], facts: [Fact] = [], tasks: [SuspendedTask] = [], leftOut: Int = 0
  ) {
    self.threads = threads
    self.facts = facts
    self.tasks = tasks
    self.leftOut = leftOut
  }
}
