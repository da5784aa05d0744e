import Foundation

/// Lets one request through, and then none until it is reset.
package protocol RateLimiter: AnyObject, Sendable {
  init()
  func allows() -> Bool
  func reset()
}

/// Asks whether there is room, and counts the request, in two steps: one too many gets through.
package final class HastyLimiter: RateLimiter, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var used = 0

  package init() {}

  package func allows() -> Bool {
    guard lock.withLock({ used < 1 }) else { return false }
    lock.withLock { used += 1 }
    return true
  }

  package func reset() { lock.withLock { used = 0 } }
}

/// Asks and counts in one step.
package final class CarefulLimiter: RateLimiter, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var used = 0

  package init() {}

  package func allows() -> Bool {
    lock.withLock {
      guard used < 1 else { return false }
      used += 1
      return true
    }
  }

  package func reset() { lock.withLock { used = 0 } }
}
