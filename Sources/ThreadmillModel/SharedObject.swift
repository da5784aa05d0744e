/// Something that a thread can hold or wait for, as a report shows it.
package struct SharedObject: Hashable, Codable, Sendable {
  package enum Kind: String, Codable, Sendable, CaseIterable {
    case mutex, recursiveMutex, readWriteLock, spinLock, semaphore, condition, group
    case serialQueue, concurrentQueue, thread, taskStatusLock, synchronizationMutex
  }

  package var id: LockID
  package var kind: Kind
  /// A queue's or thread's own name.
  package var label: String?
  package var address: UInt64
  /// The stack that created it; empty where no call did (a static initialiser).
  package var created: Backtrace

  package init(
    id: LockID, kind: Kind, label: String? = nil, address: UInt64 = 0, created: Backtrace = []
  ) {
    self.id = id
    self.kind = kind
    self.label = label
    self.address = address
    self.created = created
  }
}
