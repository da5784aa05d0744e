import CThreadmillConformance
import Dispatch
import Synchronization

/// How a process ends that Swift or libdispatch stops.
let trap = Int32(CONFORMANCE_TRAP_STATUS)

/// States a fact: `got` has to be equal to `expected`.
func expect<Value: Equatable>(_ what: String, _ got: Value, _ expected: Value) {
  conformance_text(what, "\(got)", "\(expected)")
}

/// States that `condition` holds.
func expect(_ what: String, _ condition: Bool) {
  expect(what, condition, true)
}

/// A counter that any thread may use, made of an atomic, so that it takes no part in any locking.
final class Count: Sendable {
  private let storage = Atomic(0)

  var value: Int { storage.load(ordering: .sequentiallyConsistent) }

  /// Adds one and returns the new value.
  @discardableResult
  func increment() -> Int {
    storage.add(1, ordering: .sequentiallyConsistent).newValue
  }

  func decrement() {
    storage.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Spins until the count is at least `target`.
  func await(_ target: Int) {
    while value < target { conformance_yield() }
  }
}

/// Something mutable that several threads use one after the other.
///
/// `@unchecked`: what protects `value` is the lock or queue that the case is about.
final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// Counts its own end.
final class Mortal: Sendable {
  private let deaths: Count
  init(_ deaths: Count) { self.deaths = deaths }
  func touch() {}
  deinit { deaths.increment() }
}

/// Two sides that must never meet: shared ones may overlap, an exclusive one is alone.
final class Exclusion: Sendable {
  let shared = Count(), exclusive = Count(), intrusions = Count(), entries = Count()

  func enterShared() {
    shared.increment()
    if exclusive.value != 0 { intrusions.increment() }
    conformance_yield()
    entries.increment()
    shared.decrement()
  }

  func enterExclusive() {
    if exclusive.increment() != 1 || shared.value != 0 { intrusions.increment() }
    conformance_yield()
    entries.increment()
    exclusive.decrement()
  }
}

struct Failure: Error, Equatable {
  var code: Int
}
