import Foundation

// Foundation's locks, used against their rules.

let lockCases: [String: @Sendable () -> Void] = [
  "lock-freed-held": freeHeldLock,
  "condition-without-lock": waitWithoutLock,
]

@inline(never) private func freeHeldLock() {
  let lock = NSLock()
  lock.lock()
}

@inline(never) private func waitWithoutLock() {
  let condition = NSCondition()
  _ = condition.wait(until: Date(timeIntervalSinceNow: 0.001))
}
