import Dispatch

/// What a program may plug in where it asserts something about itself.
///
/// The programs here know no checker, and some hazards are only found by one that is asked. So they
/// have hooks, as an application has its `assertOnQueue`; whoever runs them may fill those in.
package struct Probes: Sendable {
  /// Called by an object that belongs to a queue, with its name; returns what the object calls
  /// whenever it is used.
  package var confinement: @Sendable (_ name: String, _ queue: DispatchQueue) -> Assertion = {
    _, _ in {}
  }

  package typealias Assertion = @Sendable () -> Void

  /// Set once, before the scenario starts; only read after that.
  package nonisolated(unsafe) static var installed = Probes()
}
