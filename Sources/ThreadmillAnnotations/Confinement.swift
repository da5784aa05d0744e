import Dispatch

/// The rule that an object belongs to one queue or to one actor, for checks within its methods.
///
/// Databases, parsers and many older classes come with the rule "use me on one queue only", and
/// nothing that holds people to it. An object states the rule once and checks it wherever it is
/// used:
///
/// ```swift
/// final class DatabaseContext {
///   private let confinement: Confinement
///
///   init(queue: DispatchQueue) { confinement = Confinement(of: "DatabaseContext", to: queue) }
///
///   func fetch(_ id: Int) -> Row? {
///     confinement.check()
///     return rows[id]
///   }
/// }
/// ```
///
/// A check that runs elsewhere is a finding of the kind `confinementViolation`, with the stack of
/// the use and that of the place where the object was confined. Nothing else happens: the program
/// goes on. In a program that Threadmill does not watch a check is one load.
///
/// For an object that cannot check by itself, see ``Confined``.
public struct Confinement: Sendable {
  /// `nil`: nobody watches.
  @usableFromInline let watch: Watch?

  /// States that what is called `name` belongs to `queue`.
  ///
  /// Work on a queue that leads to `queue` as its target counts as being on it, and so does a
  /// `sync` onto it from any thread. A global queue is nobody's place: nothing is checked then.
  public init(of name: String, to queue: DispatchQueue) {
    watch = Watch(of: name, to: queue)
  }

  /// States that what is called `name` belongs to `actor`, which is not kept alive by that.
  ///
  /// For the main actor that means the main thread and the main queue. An actor with an executor
  /// of its own is not checked.
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  public init(of name: String, to actor: some Actor) {
    watch = Watch(of: name, to: actor)
  }

  /// Makes a finding if the calling code runs elsewhere.
  @inlinable public func check() {
    if let watch { watch.check() }
  }
}
