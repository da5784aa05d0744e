import Dispatch
import Foundation

extension Scenario {
  /// Two waiters are told by a semaphore that a dish is ready; one of them holds the tray while it
  /// waits.
  ///
  /// **What people write.** A semaphore made with 0 as an event: the kitchen signals, the waiters
  /// wait.
  ///
  /// **Why it looks dangerous.** Taken for a lock, it is held by one waiter who asks for the tray,
  /// and asked for by the other who holds the tray: a cycle. Nor does anyone who waited ever
  /// signal.
  ///
  /// **Why it is correct.** Nobody holds an event. The kitchen signals for each waiter and never
  /// needs the tray.
  static let semaphoreAsEvent = Scenario(
    id: "semaphore-as-event", summary: "A semaphore made with 0 is signalled by another thread.",
    correct: {
      let (ready, tray) = (DispatchSemaphore(value: 0), NSLock())
      onThreads(
        {
          ready.wait()
          tray.withLock {}
        },
        {
          tray.lock()
          ready.wait()
          tray.unlock()
        },
        {
          ready.signal()
          ready.signal()
        })
    })
}
