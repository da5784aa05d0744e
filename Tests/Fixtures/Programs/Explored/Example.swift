import Dispatch
import Foundation
import Threadmill

/// `lock` protects every access to `number`, and an update can still be lost.
final class Visitors: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0
  var value: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}

struct LostUpdate: Error {}

func exploreVisitors() throws -> Exploration {
  try explore(schedules: 1_000) {
    let (visitors, group) = (Visitors(), DispatchGroup())
    for _ in 1...2 {
      DispatchQueue.global().async(group: group) { visitors.value += 1 }
    }
    group.wait()
    if visitors.value != 2 { throw LostUpdate() }
  }
}
