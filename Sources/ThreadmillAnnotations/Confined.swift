import Dispatch

/// A value that belongs to one queue or to one actor.
///
/// ```swift
/// let context = Confined(to: queue) { DatabaseContext() }
///
/// queue.async {
///   context.use { $0.insert(note) }  // fine
/// }
/// context.use { $0.insert(note) }    // a finding, with this stack and that of the `Confined(to:)`
/// ```
///
/// `Confined` is `Sendable`, even if the value is not, so that it can be passed to other threads.
/// Each use is checked when it happens: a use outside of the queue or actor is a finding of the
/// kind `confinementViolation`. The use itself goes on. In a program that Threadmill does not
/// watch, a check is one load.
///
/// Do not pass the result of `use` to another queue if it is an object of the value: such an object
/// belongs to the same queue, and its uses are not checked. Pass an identifier instead.
public final class Confined<Value>: @unchecked Sendable {
  // Unchecked: the rule that the value is used in one place only is the caller's to keep; that is
  // what the checks are about.
  private var value: Value
  @usableFromInline let confinement: Confinement

  /// Makes a value that belongs to `queue`.
  ///
  /// Calls `make` at once, on the calling thread.
  public init<Failure: Error>(
    to queue: DispatchQueue, _ make: () throws(Failure) -> sending Value
  ) throws(Failure) {
    value = try make()
    confinement = Confinement(of: "\(Value.self)", to: queue)
  }

  /// Makes a value that belongs to `actor`. Does not keep the actor alive.
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  public init<Failure: Error>(
    to actor: some Actor, _ make: () throws(Failure) -> sending Value
  ) throws(Failure) {
    value = try make()
    confinement = Confinement(of: "\(Value.self)", to: actor)
  }

  /// Makes a finding if the calling code runs elsewhere.
  @inlinable public func check() { confinement.check() }

  /// Calls `body` with the value, after a check.
  public func use<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    check()
    return try body(value)
  }

  /// Calls `body` with the value in place, for values without identity, after a check.
  ///
  /// Must not be called inside another `update` of the same value.
  public func update<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    check()
    return try body(&value)
  }
}
