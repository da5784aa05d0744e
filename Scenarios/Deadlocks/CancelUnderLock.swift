import Foundation

extension Scenario {
  /// A turnstile resumes the waiting task under its lock; the cancellation handler of that task
  /// takes the same lock.
  ///
  /// **What people write.** The continuation of whoever waits is kept under a lock. `admit` takes
  /// the lock, resumes it and clears it, in one tidy critical section. `onCancel` takes the lock to
  /// find the continuation and resume it.
  ///
  /// **Why it breaks.** The Swift runtime guards each task's status with a lock of its own. It runs
  /// the cancellation handlers under it, and it takes it in `cancel()` and `resume()`. Admit: own
  /// lock, then status lock. Cancel: status lock, then own lock.
  ///
  /// **How it shows.** A task that is cancelled just when it is admitted never ends, and neither do
  /// the two threads that did it. There is only one lock in the source, so a review finds nothing.
  ///
  /// **Repair.** Take the continuation out under the lock, and resume (or cancel) after leaving it.
  static let cancelUnderLock = Scenario(
    id: "cancel-under-lock", fault: .deadlocks,
    summary: "A task is resumed or cancelled under a lock that its cancellation handler takes.",
    expectations: [
      .flawed: .init(
        .ends, observe: .finds("lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .harmful: .init(
        .hangs, observe: .finds("deadlock", allowing: "lockOrderCycle"),
        explore: .finds("deadlock", allowing: "lockOrderCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let gate = Turnstile()
      let visitor = Task.detached {
        await gate.pass()
        await gate.pass()
      }
      let admitted = Arrivals()
      onThreads(
        {
          gate.parked.wait(for: 1)
          gate.admitUnderLock()
          admitted.announce()
        },
        {
          gate.parked.wait(for: 1)
          admitted.waitAWhile()
          gate.parked.waitAWhile(for: 2)
          visitor.cancel()
        })
      awaitEnd(of: visitor)
    },
    harmful: {
      let gate = Turnstile()
      let visitor = Task.detached { await gate.pass() }
      let admitting = Arrivals()
      onThreads(
        {
          gate.parked.wait()
          gate.admitUnderLock {
            admitting.announce()
            gate.cancelling.wait()
          }
        },
        {
          admitting.wait()
          visitor.cancel()
        })
      awaitEnd(of: visitor)
    },
    repaired: {
      let gate = Turnstile()
      let visitor = Task.detached {
        await gate.pass()
        await gate.pass()
      }
      let admitting = Arrivals()
      onThreads(
        {
          gate.parked.wait()
          gate.admit { admitting.meet(2, limit: 0.1) }
        },
        {
          gate.parked.wait()
          admitting.meet(2, limit: 0.1)
          visitor.cancel()
        })
      awaitEnd(of: visitor)
    })
}

/// `lock` protects `waiter` and `isClosed`.
private final class Turnstile: @unchecked Sendable {
  let parked = Arrivals()
  let cancelling = Arrivals()
  private let lock = NSLock()
  private var waiter: CheckedContinuation<Void, Never>?
  private var isClosed = false

  /// Waits until somebody admits the caller, or the caller's task is cancelled.
  func pass() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { park($0) }
    } onCancel: {
      cancelling.announce()
      close()
    }
  }

  /// `meanwhile` stands for the counting of visitors.
  func admitUnderLock(meanwhile: () -> Void = {}) {
    lock.lock()
    meanwhile()
    waiter?.resume()
    waiter = nil
    lock.unlock()
  }

  func admit(meanwhile: () -> Void = {}) {
    lock.lock()
    meanwhile()
    let admitted = waiter
    waiter = nil
    lock.unlock()
    admitted?.resume()
  }

  private func park(_ continuation: CheckedContinuation<Void, Never>) {
    lock.lock()
    let isOpen = !isClosed
    if isOpen { waiter = continuation }
    lock.unlock()
    if !isOpen { continuation.resume() }
    parked.announce()
  }

  private func close() {
    lock.lock()
    isClosed = true
    let turnedAway = waiter
    waiter = nil
    lock.unlock()
    turnedAway?.resume()
  }
}
