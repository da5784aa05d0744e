import Foundation

/// Keeps what was loaded, until it expires. What is loaded is a number that rises with each load.
package protocol ExpiringCache: AnyObject, Sendable {
  init()
  func value(for key: Int) -> Int
  func expire(_ key: Int)
}

/// Looks, loads and stores in three steps: two readers load twice, and get different values.
package final class HastyCache: ExpiringCache, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var values: [Int: Int] = [:]
  private var loads = 0

  package init() {}

  package func value(for key: Int) -> Int {
    if let known = lock.withLock({ values[key] }) { return known }
    let loaded = load()
    lock.withLock { values[key] = loaded }
    return loaded
  }

  package func expire(_ key: Int) { lock.withLock { values[key] = nil } }

  private func load() -> Int {
    lock.withLock {
      loads += 1
      return loads
    }
  }
}

/// Loads under the lock.
package final class CarefulCache: ExpiringCache, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var values: [Int: Int] = [:]
  private var loads = 0

  package init() {}

  package func value(for key: Int) -> Int {
    lock.withLock {
      if let known = values[key] { return known }
      loads += 1
      values[key] = loads
      return loads
    }
  }

  package func expire(_ key: Int) { lock.withLock { values[key] = nil } }
}
