import Foundation

/// Counts visits.
package protocol VisitCounter: AnyObject, Sendable {
  init()
  func visit()
  var visits: Int { get }
}

/// Every access takes the lock, and `+=` takes it twice.
package final class HastyVisitCounter: VisitCounter, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var number = 0

  package init() {}

  package private(set) var visits: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }

  package func visit() { visits += 1 }
}

/// The whole change is one step.
package final class CarefulVisitCounter: VisitCounter, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var number = 0

  package init() {}

  package var visits: Int { lock.withLock { number } }

  package func visit() { lock.withLock { number += 1 } }
}
