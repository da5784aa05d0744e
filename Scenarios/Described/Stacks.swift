import Foundation

/// Plates: the last one is taken first.
package protocol PlateStack: AnyObject, Sendable {
  init()
  func push(_ plate: Int)
  func pop() -> Int?
}

/// Looks at the top plate under the lock, and takes it away under the lock: two people may get the
/// same plate.
package final class HastyPlateStack: PlateStack, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var plates: [Int] = []

  package init() {}

  package func push(_ plate: Int) { lock.withLock { plates.append(plate) } }

  package func pop() -> Int? {
    guard let top = lock.withLock({ plates.last }) else { return nil }
    _ = lock.withLock { plates.popLast() }
    return top
  }
}

/// Looks and takes in one step.
package final class CarefulPlateStack: PlateStack, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var plates: [Int] = []

  package init() {}

  package func push(_ plate: Int) { lock.withLock { plates.append(plate) } }

  package func pop() -> Int? { lock.withLock { plates.popLast() } }
}
