import Foundation

// Two threads count visitors without a lock.

final class Visitors: @unchecked Sendable {
  // Guarded by nothing, which is the mistake.
  var value = 0
}

let visitors = Visitors()
let group = DispatchGroup()
for _ in 0..<2 {
  group.enter()
  Thread.detachNewThread {
    visitors.value += 1
    group.leave()
  }
}
group.wait()
precondition(visitors.value == 2, "\(visitors.value) visitors")
