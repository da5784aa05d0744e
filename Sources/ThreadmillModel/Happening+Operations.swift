extension Happening {
  /// Operations wait for each other: each for the next, the last for the first.
  package struct OperationsInCycle: Sendable, Equatable {
    /// One operation, and the call that made it wait for the next one.
    package struct Dependent: Sendable, Equatable {
      package var operation: SharedObject
      package var told: Backtrace

      package init(_ operation: SharedObject, told: Backtrace = []) {
        self.operation = operation
        self.told = told
      }
    }

    package var thread: ThreadSnapshot
    /// The operations of the cycle, as many as there was room for.
    package var operations: [Dependent]
    /// The number of operations in the cycle, listed or not.
    package var length: Int

    package init(thread: ThreadSnapshot, operations: [Dependent], length: Int) {
      self.thread = thread
      self.operations = operations
      self.length = length
    }
  }

  /// An operation is about to trap because it is used a second time.
  package struct OperationUsedAgain: Sendable, Equatable {
    /// The second use.
    package enum Use: Sendable {
      case start
      case addToQueue
    }

    package var thread: ThreadSnapshot
    package var operation: SharedObject
    package var use: Use
    /// `nil`: a state that this version does not know.
    package var state: OperationState?
    /// `nil`: unknown.
    package var firstUse: PastStep?

    package init(
      thread: ThreadSnapshot, operation: SharedObject, use: Use, state: OperationState?,
      firstUse: PastStep? = nil
    ) {
      self.thread = thread
      self.operation = operation
      self.use = use
      self.state = state
      self.firstUse = firstUse
    }
  }

  /// An operation reports that it is finished before its queue has started it.
  package struct OperationFinishedEarly: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var operation: SharedObject
    package var isCancelled: Bool

    package init(thread: ThreadSnapshot, operation: SharedObject, isCancelled: Bool) {
      self.thread = thread
      self.operation = operation
      self.isCancelled = isCancelled
    }
  }

  /// An operation that was seen to finish reports that it is executing.
  package struct OperationRevived: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var operation: SharedObject

    package init(thread: ThreadSnapshot, operation: SharedObject) {
      self.thread = thread
      self.operation = operation
    }
  }

  /// A thread waits for an operation that cannot begin before the wait is over.
  package struct OperationAwaitedInside: Sendable, Equatable {
    /// The obstacle between the awaited operation and its begin.
    package enum Hindrance: Sendable, Equatable {
      /// The awaited operation is the running one.
      case itself
      /// The awaited operation depends, through those between, on the running one.
      case dependency(running: SharedObject, between: [SharedObject])
      /// Both are in one queue that runs one operation at a time.
      case queue(running: SharedObject)
      /// The awaited operation is in the main queue, and the main thread waits.
      case main
    }

    package var thread: ThreadSnapshot
    package var awaited: SharedObject
    package var hindrance: Hindrance

    package init(thread: ThreadSnapshot, awaited: SharedObject, hindrance: Hindrance) {
      self.thread = thread
      self.awaited = awaited
      self.hindrance = hindrance
    }
  }
}
