import Foundation

extension Scenario {
  /// Two dancers pick each other's hand in either order; the second hand is only ever tried.
  ///
  /// **What people write.** Where no order can be agreed on: lock one, try the other, and on
  /// failure release the first and start again.
  ///
  /// **Why it looks dangerous.** Both orders occur, on two threads at the same time.
  ///
  /// **Why it is correct.** Nobody ever waits while holding something.
  static let tryLockBackoff = Scenario(
    id: "try-lock-backoff",
    summary: "The second lock is only ever tried, and the first released on failure.",
    correct: {
      let (left, right) = (NSLock(), NSLock())
      let both = Arrivals()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<100 { withBoth(left, right) {} }
        },
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<100 { withBoth(right, left) {} }
        })
    })
}

private func withBoth(_ first: NSLock, _ second: NSLock, _ body: () -> Void) {
  while true {
    first.lock()
    if second.try() {
      body()
      second.unlock()
      first.unlock()
      return
    }
    first.unlock()
    Thread.sleep(forTimeInterval: .random(in: 0...0.001))
  }
}
