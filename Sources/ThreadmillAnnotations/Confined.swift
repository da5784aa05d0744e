import Dispatch

/// A value that belongs to one queue or to one actor, and may be mentioned everywhere.
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
/// The compiler lets it travel, as it is `Sendable` whatever the value is; that every use is on the
/// queue or the actor is checked where it happens, and a use elsewhere is a finding of the kind
/// `confinementViolation`. The use itself goes on. In a program that Threadmill does not watch, a
/// check is one load.
///
/// Pass identifiers from queue to queue rather than what `use` returns: an object that the value
/// hands out is as confined as the value, and nobody checks it.
public final class Confined<Value>: @unchecked Sendable {
  // Unchecked: the rule that the value is used in one place only is the caller's to keep; that is
  // what the checks are about.
  private var value: Value
  @usableFromInline let confinement: Confinement

  /// Makes a value that belongs to `queue`.
  ///
  /// `make` is called here and now: a value may be made anywhere, before anybody else knows of it.
  public init<Failure: Error>(
    to queue: DispatchQueue, _ make: () throws(Failure) -> sending Value
  ) throws(Failure) {
    value = try make()
    confinement = Confinement(of: "\(Value.self)", to: queue)
  }

  /// Makes a value that belongs to `actor`, which is not kept alive by that.
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
  /// Not to be called from within another `update` of the same value.
  public func update<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    check()
    return try body(&value)
  }
}
