import Foundation

/// Who wants to be told.
package protocol ObserverList: AnyObject, Sendable {
  init()
  func add(_ observer: Int)
  func remove(_ observer: Int)
  func told() -> Set<Int>
}

/// Copies the list, changes the copy, and puts it back: of two changes at once one is lost.
package final class HastyObserverList: ObserverList, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var observers: Set<Int> = []

  package init() {}

  private var list: Set<Int> {
    get { lock.withLock { observers } }
    set { lock.withLock { observers = newValue } }
  }

  package func add(_ observer: Int) { list = list.union([observer]) }
  package func remove(_ observer: Int) { list = list.subtracting([observer]) }
  package func told() -> Set<Int> { list }
}

/// Changes the list in place.
package final class CarefulObserverList: ObserverList, @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var observers: Set<Int> = []

  package init() {}

  package func add(_ observer: Int) { lock.withLock { _ = observers.insert(observer) } }
  package func remove(_ observer: Int) { lock.withLock { _ = observers.remove(observer) } }
  package func told() -> Set<Int> { lock.withLock { observers } }
}
