/// The states that Foundation gives an operation, in the order in which it passes them.
package enum OperationState: Sendable, CaseIterable {
  case initialized
  /// The operation is being put into a queue.
  case enqueuing
  case enqueued
  /// Its queue lets it start.
  case dispatching
  case starting
  case executing
  case finishing
  case finished
}
