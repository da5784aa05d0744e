import Foundation

/// A second pair of locks with the same mistake, used by blocks on a queue instead of threads.
public final class PaintRoom: Sendable {
  private let brush = NSLock()
  private let ladder = NSLock()

  public init() {}

  public func paintFence() {
    brush.lock()
    ladder.lock()
    ladder.unlock()
    brush.unlock()
  }

  public func paintCeiling() {
    ladder.lock()
    brush.lock()
    brush.unlock()
    ladder.unlock()
  }
}
