import Foundation

/// Does its work once, and hands out the number of times that it was done.
package protocol OnceOnly: AnyObject, Sendable {
  init()
  func result() -> Int
}

/// Looks at the flag under the lock, and works after it: two threads do the work.
package final class HastyOnce: OnceOnly, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var known: Int?
  private var done = 0

  package init() {}

  package func result() -> Int {
    if let known = lock.withLock({ known }) { return known }
    return lock.withLock {
      done += 1
      known = done
      return done
    }
  }
}

/// Looks again under the lock under which it works.
package final class CarefulOnce: OnceOnly, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var known: Int?
  private var done = 0

  package init() {}

  package func result() -> Int {
    if let known = lock.withLock({ known }) { return known }
    return lock.withLock {
      if let known { return known }
      done += 1
      known = done
      return done
    }
  }
}
