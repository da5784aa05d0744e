import Dispatch
import Foundation
import Synchronization
import Threadmill

/// Work that is submitted, a thread or a task that is started, and the very next statement of who
/// does it, which makes no call that is under control.
enum Submissions {
  private static let programs: [(name: String, body: @Sendable (Log) async -> Void)] = [
    (
      "thread",
      { log in
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          log.note("w")
          done.signal()
        }
        log.note("n")
        done.wait()
      }
    ),
    (
      "queue",
      { log in
        let queue = DispatchQueue(label: "queue")
        queue.async { log.note("w") }
        log.note("n")
        queue.sync {}
      }
    ),
    (
      "group",
      { log in
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { log.note("w") }
        log.note("n")
        group.wait()
      }
    ),
    (
      "item",
      { log in
        let item = DispatchWorkItem { log.note("w") }
        DispatchQueue.global().async(execute: item)
        log.note("n")
        item.wait()
      }
    ),
    (
      "task",
      { log in
        let task = Task { log.note("w") }
        log.note("n")
        await task.value
      }
    ),
    (
      "async-let",
      { log in
        async let work: Void = log.note("w")
        log.note("n")
        await work
      }
    ),
    (
      "group-task",
      { log in
        await withTaskGroup(of: Void.self) { group in
          group.addTask { log.note("w") }
          log.note("n")
        }
      }
    ),
    (
      "resume",
      { log in
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let waits = DispatchSemaphore(value: 0)
        let task = Task {
          await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
            waits.signal()
          }
          log.note("w")
        }
        until(waits)
        waiter.withLock { $0 }?.resume()
        log.note("n")
        await task.value
      }
    ),
    // The block comes after the one that submits it, whatever happens.
    (
      "own-queue",
      { log in
        let queue = DispatchQueue(label: "own queue")
        queue.sync {
          queue.async { log.note("w") }
          log.note("n")
        }
        queue.sync {}
      }
    ),
  ]

  private static func until(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  /// `submissions`: the same of these programs as `orders`.
  static func run() throws { try Orders.tell(programs) }
}
