import Foundation

/// Permits: who takes one waits until there is one.
package protocol PermitSemaphore: AnyObject, Sendable {
  init()
  func take()
  func give()
}

/// Looks whether there is a permit, and waits in a step of its own: a permit that is given in
/// between wakes nobody.
package final class HastyPermits: PermitSemaphore, @unchecked Sendable {
  private let condition = NSCondition()
  // Guarded by `condition`.
  private var permits = 0

  package init() {}

  package func take() {
    let isEmpty = condition.withLock { permits == 0 }
    condition.lock()
    if isEmpty { condition.wait() }
    permits -= 1
    condition.unlock()
  }

  package func give() {
    condition.withLock {
      permits += 1
      condition.signal()
    }
  }
}

/// Looks again each time, under the same lock.
package final class CarefulPermits: PermitSemaphore, @unchecked Sendable {
  private let condition = NSCondition()
  // Guarded by `condition`.
  private var permits = 0

  package init() {}

  package func take() {
    condition.withLock {
      while permits == 0 { condition.wait() }
      permits -= 1
    }
  }

  package func give() {
    condition.withLock {
      permits += 1
      condition.signal()
    }
  }
}
