extension Happening {
  /// An object that belongs to a queue or an actor is used elsewhere.
  package struct ConfinementBroken: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var object: SharedObject
    /// The queue or the actor. An actor has no identity.
    package var place: SharedObject
    /// The thread that confined the object.
    package var confiner: ThreadID

    package init(
      thread: ThreadSnapshot, object: SharedObject, place: SharedObject, confiner: ThreadID
    ) {
      self.thread = thread
      self.object = object
      self.place = place
      self.confiner = confiner
    }
  }

  /// The last reference to a semaphore goes while its value is below the initial one.
  package struct SemaphoreFreedInUse: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var semaphore: SharedObject
    package var value: Int
    package var initial: Int
    /// The latest first.
    package var waits: [PastStep]
    /// The latest first.
    package var signals: [PastStep]

    package init(
      thread: ThreadSnapshot, semaphore: SharedObject, value: Int, initial: Int,
      waits: [PastStep] =
        [], signals: [PastStep] = []
    ) {
      self.thread = thread
      self.semaphore = semaphore
      self.value = value
      self.initial = initial
      self.waits = waits
      self.signals = signals
    }
  }

  /// The last reference to a suspended queue or source goes.
  package struct SuspendedReleased: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var object: SharedObject
    package var isNeverActivated: Bool
    /// The suspension, if there was one and it is known.
    package var suspended: PastStep?

    package init(
      thread: ThreadSnapshot, object: SharedObject, isNeverActivated: Bool,
      suspended: PastStep? =
        nil
    ) {
      self.thread = thread
      self.object = object
      self.isNeverActivated = isNeverActivated
      self.suspended = suspended
    }
  }

  /// The thread dies of a signal.
  package struct Crashed: Sendable, Equatable {
    package var thread: ThreadSnapshot
    package var signal: Int32

    package init(thread: ThreadSnapshot, signal: Int32) {
      self.thread = thread
      self.signal = signal
    }
  }
}
