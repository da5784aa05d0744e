import Foundation

/// Jars on two shelves, each with a lock of its own.
public final class Pantry: @unchecked Sendable {
  private let upper = NSLock()
  private let lower = NSLock()
  private var jars = [0, 0]
  /// Nobody guards it.
  public private(set) var visits = 0

  public init() {}

  public func moveUp() {
    lower.lock()
    upper.lock()
    jars[0] += 1
    jars[1] -= 1
    upper.unlock()
    lower.unlock()
  }

  /// Takes the locks the other way round.
  public func moveDown() {
    upper.lock()
    lower.lock()
    jars[0] -= 1
    jars[1] += 1
    lower.unlock()
    upper.unlock()
  }

  public func visit() { visits += 1 }

  public var total: Int { upper.withLock { lower.withLock { jars[0] + jars[1] } } }
}
