import Dispatch
import Foundation
import Threadmill

/// Every access is locked, and an update can still be lost.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  var value: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}

struct LostUpdate: Error {}

func exploreCounter() throws -> Exploration {
  try explore(schedules: 1_000) {
    let (counter, group) = (Counter(), DispatchGroup())
    for _ in 1...2 {
      DispatchQueue.global().async(group: group) { counter.value += 1 }
    }
    group.wait()
    if counter.value != 2 { throw LostUpdate() }
  }
}
