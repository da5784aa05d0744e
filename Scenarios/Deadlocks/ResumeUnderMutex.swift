import Dispatch
import Synchronization

extension Scenario {
  /// A reception calls the waiting guest inside of its Mutex's `withLock`; the guest's cancellation
  /// handler takes the same Mutex.
  ///
  /// **What people write.** The continuation of the guest who waits is kept in a `Mutex`. `call`
  /// resumes it and clears it in one closure of `withLock`. `onCancel` takes it out by `withLock`.
  ///
  /// **Why it breaks.** `resume()` needs the status lock of the guest's task, and `cancel()` runs
  /// the handlers under that lock. Call: the Mutex, then the status lock. Cancel: the status lock,
  /// then the Mutex.
  ///
  /// **How it shows.** A guest who leaves at the moment when he is called never ends, and neither
  /// do the two threads that did it. There is one lock in the source, and no call looks like
  /// another.
  ///
  /// **Repair.** Return the continuation from `withLock`, and resume it after that.
  static let resumeUnderMutex = Scenario(
    id: "resume-under-mutex", fault: .deadlocks,
    summary: "A task is resumed inside of a Mutex's withLock, and its handler takes the Mutex.",
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
      let reception = Reception()
      let guest = Task.detached {
        await reception.wait()
        await reception.wait()
      }
      let called = Arrivals()
      onThreads(
        {
          reception.waiting.wait(for: 1)
          reception.callInside()
          called.announce()
        },
        {
          called.waitAWhile()
          reception.waiting.waitAWhile(for: 2)
          guest.cancel()
        })
      awaitEnd(of: guest)
    },
    harmful: {
      let reception = Reception()
      let guest = Task.detached { await reception.wait() }
      let calling = Arrivals()
      onThreads(
        {
          reception.waiting.wait()
          reception.callInside {
            calling.announce()
            reception.leaving.wait()
          }
        },
        {
          calling.wait()
          guest.cancel()
        })
      awaitEnd(of: guest)
    },
    repaired: {
      let reception = Reception()
      let guest = Task.detached {
        await reception.wait()
        await reception.wait()
      }
      let calling = Arrivals()
      onThreads(
        {
          reception.waiting.wait()
          reception.call { calling.meet(2, limit: 0.1) }
        },
        {
          reception.waiting.wait()
          calling.meet(2, limit: 0.1)
          guest.cancel()
        })
      awaitEnd(of: guest)
    })
}

private final class Reception: Sendable {
  private struct Desk {
    var guest: CheckedContinuation<Void, Never>?
    var isClosed = false
  }

  let waiting = Arrivals()
  let leaving = Arrivals()
  private let desk = Mutex(Desk())

  /// Returns when the caller is called, or when the caller's task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { sitDown($0) }
    } onCancel: {
      leaving.announce()
      close()
    }
  }

  /// `meanwhile` stands for the look into the book.
  func callInside(meanwhile: () -> Void = {}) {
    desk.withLock { desk in
      meanwhile()
      desk.guest?.resume()
      desk.guest = nil
    }
  }

  /// `meanwhile` stands for the look into the book.
  func call(meanwhile: () -> Void = {}) {
    let called = desk.withLock { desk in
      meanwhile()
      return desk.guest.take()
    }
    called?.resume()
  }

  private func sitDown(_ guest: CheckedContinuation<Void, Never>) {
    let isOpen = desk.withLock { desk in
      if !desk.isClosed { desk.guest = guest }
      return !desk.isClosed
    }
    if !isOpen { guest.resume() }
    waiting.announce()
  }

  private func close() {
    let left = desk.withLock { desk in
      desk.isClosed = true
      return desk.guest.take()
    }
    left?.resume()
  }
}
