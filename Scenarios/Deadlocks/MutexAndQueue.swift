import Dispatch
import Foundation
import Synchronization

extension Scenario {
  /// A printer keeps its jobs in a `Mutex` and talks to the device on a queue.
  ///
  /// **What people write.** `cancel` removes a job inside of `withLock`, and tells the device by
  /// `queue.sync` before the closure returns. A block on the queue, which the device calls when it
  /// is done, takes the `Mutex` to remove the job that was printed.
  ///
  /// **Why it breaks.** The queue is a lock as well. Cancelling: mutex, then queue. Done: queue,
  /// then mutex.
  ///
  /// **How it shows.** The program stands still if a job is cancelled just when it is done.
  ///
  /// **Repair.** Return from `withLock` before the `sync`.
  static let mutexAndQueue = Scenario(
    id: "mutex-and-queue", fault: .deadlocks,
    summary: "queue.sync inside of a Mutex's withLock, and work of that queue takes the Mutex.",
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
      let printer = Printer()
      let printed = Arrivals()
      onThreads(
        {
          printed.waitAWhile()
          printer.cancelUnderLock("letter")
        },
        { printer.finish("photo", done: { printed.announce() }) })
    },
    harmful: {
      let printer = Printer()
      let both = Arrivals()
      printer.finish("photo", meanwhile: { both.meet(2, limit: .infinity) })
      printer.cancelUnderLock("letter") { both.meet(2, limit: .infinity) }
    },
    repaired: {
      let printer = Printer()
      let both = Arrivals()
      printer.finish("photo", meanwhile: { both.meet(2, limit: 0.1) })
      printer.cancel("letter") { both.meet(2, limit: 0.1) }
      precondition(printer.isIdle)
    })
}

private final class Printer: Sendable {
  private let jobs = Mutex<Set<String>>(["letter", "photo"])
  private let device = DispatchQueue(label: "device")

  /// Once the device has done what it was told.
  var isIdle: Bool { device.sync { jobs.withLock { $0.isEmpty } } }

  /// `meanwhile` stands for the last page.
  func finish(
    _ job: String, meanwhile: @escaping @Sendable () -> Void = {},
    done: @escaping @Sendable () -> Void = {}
  ) {
    device.async { [self] in
      meanwhile()
      jobs.withLock { _ = $0.remove(job) }
      done()
    }
  }

  /// `meanwhile` stands for the search for the job.
  func cancelUnderLock(_ job: String, meanwhile: () -> Void = {}) {
    jobs.withLock { jobs in
      meanwhile()
      if jobs.remove(job) != nil { device.sync {} }
    }
  }

  func cancel(_ job: String, meanwhile: () -> Void = {}) {
    let isKnown = jobs.withLock { jobs in
      meanwhile()
      return jobs.remove(job) != nil
    }
    if isKnown { device.sync {} }
  }
}
