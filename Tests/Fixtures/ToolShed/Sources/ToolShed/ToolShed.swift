import Foundation

/// Code under test, as somebody who has never heard of Threadmill writes it.
///
/// Carpenters need hammer and saw. `frameWall` takes them in one order, `cutRafter` in the other.
public final class ToolShed: Sendable {
  private let hammer = NSLock()
  private let saw = NSLock()

  public init() {}

  public func frameWall() {
    hammer.lock()
    saw.lock()
    saw.unlock()
    hammer.unlock()
  }

  public func cutRafter() {
    saw.lock()
    hammer.lock()
    hammer.unlock()
    saw.unlock()
  }

  /// Takes both in the order of `cutRafter`, but never waits for the second.
  public func cutRafterIfFree() {
    saw.lock()
    if hammer.try() { hammer.unlock() }
    saw.unlock()
  }
}
