import Dispatch
import Foundation

extension Case {
  /// Waits that are long and invert nothing that anybody chose.
  static let innocent = [
    Case("equal") { lock(slow: .utility, urgent: .utility) },
    Case("inherited") { itemWaits(.inheritQoS) },
    Case("not-enforced") { itemWaits([]) },
    // On Linux a block does not pass its quality on to what it submits.
    Case("passed-on") {
      let (meeting, lock, group) = (Meeting(), NSLock(), DispatchGroup())
      meeting.run(at: .utility) { meeting in lock.withLock { meeting.dawdle() } }
      meeting.run(at: .userInitiated) { meeting in
        DispatchQueue(label: "plain").async(group: group) {
          meeting.arrive()
          lock.withLock {}
        }
      }
      meeting.end()
      group.wait()
    },
    Case("higher") { lock(slow: .userInteractive, urgent: .background) },
    Case("nobody-chose") { lock(slow: nil, urgent: nil) },
    Case("holder-unknown") { lock(slow: nil, urgent: .userInteractive) },
    Case("waiter-unknown") { lock(slow: .background, urgent: nil) },
    Case("interactive-and-initiated") { lock(slow: .userInitiated, urgent: .userInteractive) },
    Case("main-waits") {
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global(qos: .background).async {
        Thread.sleep(forTimeInterval: Meeting.pause)
        done.signal()
      }
      done.wait()
    },
    Case("default-pool") {
      onScreen {
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
          Thread.sleep(forTimeInterval: Meeting.pause)
        }
        group.wait()
      }
    },
    Case("plain-operation") {
      onScreen {
        let queue = OperationQueue()
        queue.addOperation { Thread.sleep(forTimeInterval: Meeting.pause) }
        queue.waitUntilAllOperationsAreFinished()
      }
    },
    Case("plain-task") {
      onScreen {
        let done = DispatchSemaphore(value: 0)
        Task {
          try? await Task.sleep(for: .milliseconds(100))
          done.signal()
        }
        done.wait()
      }
    },
    Case("default-thread") {
      let (meeting, lock) = (Meeting(), NSLock())
      meeting.runOnThread(at: .default) { meeting in lock.withLock { meeting.dawdle() } }
      meeting.run(at: .userInteractive) { meeting in
        meeting.arrive()
        lock.withLock {}
      }
      meeting.end()
    },
    Case("idle-consumer") {
      let (meeting, news) = (Meeting(), DispatchSemaphore(value: 0))
      meeting.run(at: .userInteractive) { _ in for _ in 0..<3 { news.wait() } }
      meeting.run(at: .utility) { _ in
        for _ in 0..<3 {
          Thread.sleep(forTimeInterval: Meeting.pause)
          news.signal()
        }
      }
      meeting.end()
    },
    Case("idle-worker") {
      let (meeting, news) = (Meeting(), NSCondition())
      meeting.run(at: .userInteractive) { meeting in
        news.lock()
        meeting.arrive()
        news.wait()
        news.unlock()
      }
      meeting.run(at: .utility) { meeting in
        meeting.dawdle()
        news.withLock { news.signal() }
      }
      meeting.end()
    },
    // The block that took the slot is over; another one that has nothing to do with it runs there.
    Case("throttle") {
      let (meeting, slots) = (Meeting(), DispatchSemaphore(value: 1))
      let pool = DispatchQueue(label: "pool", qos: .userInteractive, attributes: .concurrent)
      let queue = DispatchQueue(label: "requests", qos: .utility)
      queue.async {
        slots.wait()
        queue.async {
          pool.async {
            meeting.dawdle()
            slots.signal()
          }
          Thread.sleep(forTimeInterval: 2 * Meeting.pause)
        }
      }
      meeting.run(at: .userInteractive) { meeting in
        meeting.arrive()
        slots.wait()
        slots.signal()
      }
      meeting.end()
    },
    Case("cancelled-backlog") {
      let queue = DispatchQueue(label: "thumbnails", qos: .utility)
      queue.suspend()
      let items = (0..<5).map { _ in DispatchWorkItem {} }
      for item in items { queue.async(execute: item) }
      for item in items { item.cancel() }
      queue.async(qos: .userInteractive) {}
      queue.resume()
      queue.sync {}
    },
    Case("no-backlog") {
      let queue = DispatchQueue(label: "thumbnails", qos: .utility)
      for _ in 0..<5 { queue.async { Thread.sleep(forTimeInterval: 0.001) } }
      queue.sync {}
      queue.async(qos: .userInteractive) {}
      queue.sync {}
    },
  ]
}
