/// Something that a thread did and that one of the detectors of misuse wants to know of.
///
/// The gate knows the facts, a detector knows what they mean. Which objects, places and numbers
/// there are is up to the kind.
package struct Happening: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A group is left more often than it was entered: the group; where it was entered, then where
    /// it was left, each newest first; how many of the places are enters.
    case groupOverleft
    /// A group is gone that nobody waited for after its end was asked for, before the first enter:
    /// the group; where its end was asked for, where it was entered.
    case groupNotifiedEarly
    /// The last reference to a semaphore goes while its value is below the initial one: the
    /// semaphore; where it was waited for, then where it was signalled, each newest first; value,
    /// initial value, how many of the places are waits.
    case semaphoreFreedInUse
    /// The last reference to a suspended queue or source goes: the object; where it was suspended,
    /// if it was; 1 if it was never activated.
    case suspendedReleased
  }

  package var kind: Kind
  /// Who did it, and what the thread holds.
  package var thread: ThreadSnapshot
  /// What it was done to.
  package var objects: [SharedObject]
  /// Other places that belong to it.
  package var places: [Backtrace]
  /// Whose those places are, in the same order; `nil` where that is unknown.
  package var placeThreads: [ThreadID?]
  package var numbers: [UInt64]

  package init(
    kind: Kind, thread: ThreadSnapshot, objects: [SharedObject] = [], places: [Backtrace] = [],
    placeThreads: [ThreadID?] = [], numbers: [UInt64] = []
  ) {
    self.kind = kind
    self.thread = thread
    self.objects = objects
    self.places = places
    self.placeThreads = placeThreads
    self.numbers = numbers
  }
}
