/// A moment at which nothing under observation moves, and nothing can come from outside to change
/// that.
package struct Standstill: Sendable {
  /// What the gate knows of an object that no thread's own state tells.
  package struct Fact: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      /// A block waits for its turn on the queue `object`; `other` is the group it belongs to.
      case queued
      /// The group `object` was entered there by thread `number`, and nobody left it since.
      case entered
      /// The semaphore is at 0; `number` is what it was made with.
      case value
      /// The last signal, by thread `number`.
      case signalled
      /// One of the last waits that got through, of thread `number`.
      case passed
      /// A task waits for the continuation `object`, which nobody has resumed; `place` is where the
      /// task goes on.
      case unresumed
      /// The operation `object` does not start before `other`, which has not finished.
      case dependent
      /// The operation `object` has not finished; `number` is why, a ``Delay``.
      case unfinished
    }

    /// What keeps an operation that does not wait for another one.
    package enum Delay: Int, Sendable, CaseIterable {
      /// It is in no queue, and nobody started it.
      case notStarted
      case queueSuspended
      /// Others of its queue come first.
      case queued
      /// Its queue lets it start, and it may have.
      case handedOver
      /// It began, no thread is in it, and it does not say that it is finished.
      case notSaid
    }

    package var kind: Kind
    package var object: SharedObject
    package var other: SharedObject?
    package var place: Backtrace
    package var number: Int
    /// The tests that it keeps from their end.
    package var tests: [String]

    package init(
      kind: Kind, object: SharedObject, other: SharedObject? = nil, place: Backtrace = [],
      number: Int = 0, tests: [String] = []
    ) {
      self.kind = kind
      self.object = object
      self.other = other
      self.place = place
      self.number = number
      self.tests = tests
    }
  }

  /// Threads that wait, each with what it waits for, held or not; whoever is idle by design is left
  /// out.
  package var threads: [ThreadSnapshot]
  package var facts: [Fact]
  /// Threads and facts that there was no room for.
  package var leftOut: Int

  package init(threads: [ThreadSnapshot], facts: [Fact] = [], leftOut: Int = 0) {
    self.threads = threads
    self.facts = facts
    self.leftOut = leftOut
  }
}
