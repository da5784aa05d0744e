import Dispatch

/// The rule that an object belongs to one queue or to one actor, for checks within its methods.
///
/// Databases, parsers and many older classes may be used on one queue only, and the compiler does
/// not enforce it. An object names its queue once, and checks it in its methods:
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
/// A failed check is a finding of the kind `confinementViolation`, with the stack of
/// the use and that of the place where the object was confined. Nothing else happens: the program
/// goes on. In a program that Threadmill does not watch a check is one load.
///
/// For an object that cannot check by itself, see ``Confined``.
public struct Confinement: Sendable {
  /// `nil` if the program is not watched.
  @usableFromInline let watch: Watch?

  /// States that the object called `name` belongs to `queue`.
  ///
  /// Work on a queue that targets `queue` counts as work on it, and so does a `sync` onto it from
  /// any thread. If `queue` is a global queue, nothing is checked.
  public init(of name: String, to queue: DispatchQueue) {
    watch = Watch(of: name, to: queue)
  }

  /// States that the object called `name` belongs to `actor`. Does not keep the actor alive.
  ///
  /// The main actor means the main thread and the main queue. An actor with its own executor is not
  /// checked.
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  public init(of name: String, to actor: some Actor) {
    watch = Watch(of: name, to: actor)
  }

  /// Makes a finding if the calling code runs elsewhere.
  @inlinable public func check() {
    if let watch { watch.check() }
  }
}
