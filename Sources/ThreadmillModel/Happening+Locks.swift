extension Happening {
  /// A thread waits for a lock whose owner has ended, and can give it back no more.
  package struct OwnerEnded: Sendable, Equatable {
    /// The thread that waits.
    package var thread: ThreadSnapshot
    package var lock: SharedObject
    package var owner: ThreadID
    /// The owner's own name.
    package var ownerName: String?
    /// The place where the owner took the lock.
    package var taken: Backtrace

    package init(
      thread: ThreadSnapshot, lock: SharedObject, owner: ThreadID, ownerName: String? = nil,
      taken: Backtrace
    ) {
      self.thread = thread
      self.lock = lock
      self.owner = owner
      self.ownerName = ownerName
      self.taken = taken
    }
  }
}
