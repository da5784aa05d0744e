import Synchronization

/// A number in a `Mutex`, whose word others may look at.
public final class Counter: Sendable {
  public let number = Mutex(0)

  public init() {}

  /// Compiled with optimisation: lock and unlock are inlined, and call only if they fail.
  @inline(never) public func addOptimised() { number.withLock { $0 += 1 } }
}
