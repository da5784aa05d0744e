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

  /// A lock is used against its rules.
  package struct LockMisused: Sendable, Equatable {
    package enum Misuse: Sendable, Equatable, CaseIterable {
      /// No thread has it.
      case unlockedUnheld
      /// Another thread has it.
      case unlockedOthers
      case destroyedHeld
      /// A semaphore for which a thread waits.
      case destroyedAwaited
      case usedDestroyed
      /// A condition is waited for with it, by a thread that does not have it.
      case awaitedWithout
      /// A condition is waited for with it, and by another thread with another mutex.
      case awaitedWithTwo
      /// The thread ends, and has it.
      case endedWith
    }

    package var thread: ThreadSnapshot
    package var misuse: Misuse
    package var lock: SharedObject
    package var condition: SharedObject?
    /// The other place: of the hold, of the wait or of the end.
    package var other: PastStep?

    package init(
      thread: ThreadSnapshot, misuse: Misuse, lock: SharedObject, condition: SharedObject? = nil,
      other: PastStep? = nil
    ) {
      self.thread = thread
      self.misuse = misuse
      self.lock = lock
      self.condition = condition
      self.other = other
    }
  }
}
