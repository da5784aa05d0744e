/// Something that a thread can hold or wait for, as a report shows it.
package struct SharedObject: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case mutex, recursiveMutex, readWriteLock, spinLock, semaphore, condition, group
    case serialQueue, concurrentQueue, thread, taskStatusLock, synchronizationMutex
    case once, actor
    case operation, continuation, task, source, workItem, confined
  }

  package var id: LockID
  package var kind: Kind
  /// A queue's or thread's own name, or the property in which a `Mutex` lies.
  package var label: String?
  package var address: UInt64
  /// The stack that created it; empty where no call did (a static initialiser).
  package var created: Backtrace
  /// The global or static variable that it lies in, where no call created it: name and declaration.
  package var variable: Frame?

  package init(
    id: LockID, kind: Kind, label: String? = nil, address: UInt64 = 0, created: Backtrace = [],
    variable: Frame? = nil
  ) {
    self.id = id
    self.kind = kind
    self.label = label
    self.address = address
    self.created = created
    self.variable = variable
  }
}

extension SharedObject.Kind {
  /// What a reader calls it.
  package var noun: String {
    switch self {
    case .mutex: "mutex"
    case .recursiveMutex: "recursive mutex"
    case .readWriteLock: "read-write lock"
    case .spinLock: "spin lock"
    case .semaphore: "semaphore"
    case .condition: "condition"
    case .group: "group"
    case .serialQueue: "serial queue"
    case .concurrentQueue: "concurrent queue"
    case .thread: "thread"
    case .taskStatusLock: "the Swift runtime's task status lock"
    case .synchronizationMutex: "Synchronization.Mutex"
    case .once: "once token"
    case .actor: "actor"
    case .operation: "operation"
    case .continuation: "continuation"
    case .task: "task"
    case .source: "dispatch source"
    case .workItem: "work item"
    case .confined: "confined object"
    }
  }
}
