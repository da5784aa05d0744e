import Dispatch
import Foundation
import Synchronization

extension Case {
  /// Urgent work waits for work of lower quality.
  static let inverted = [
    Case("lock") { lock(slow: .background, urgent: .userInteractive) },
    Case("lock-utility") { lock(slow: .background, urgent: .utility) },
    Case("lock-on-threads") {
      let (meeting, lock) = (Meeting(), NSLock())
      meeting.runOnThread(at: .utility) { meeting in lock.withLock { meeting.dawdle() } }
      meeting.runOnThread(at: .userInitiated) { meeting in
        meeting.arrive()
        lock.withLock {}
      }
      meeting.end()
    },
    Case("swift-mutex") {
      let meeting = Meeting()
      let shared = Shared()
      meeting.run(at: .utility) { meeting in shared.value.withLock { _ in meeting.dawdle() } }
      meeting.run(at: .userInitiated) { meeting in
        meeting.arrive()
        shared.value.withLock { $0 += 1 }
      }
      meeting.end()
    },
    Case("item-on-plain-queue") {
      let (meeting, lock) = (Meeting(), NSLock())
      meeting.run(at: .background) { meeting in lock.withLock { meeting.dawdle() } }
      DispatchQueue(label: "plain").async(qos: .userInitiated) {
        meeting.arrive()
        lock.withLock {}
      }
      meeting.end()
      lock.withLock {}
      Thread.sleep(forTimeInterval: Meeting.pause)
    },
    // Who insists on a quality has it also on a queue with a lower one.
    Case("enforced-item") { itemWaits(.enforceQoS) },
    // Who does not insist has the queue's.
    Case("item-keeps-queue-quality") {
      let (meeting, lock) = (Meeting(), NSLock())
      DispatchQueue(label: "thumbnails", qos: .utility).async(qos: .userInteractive) {
        lock.withLock { meeting.dawdle() }
      }
      meeting.run(at: .userInitiated) { meeting in
        meeting.arrive()
        lock.withLock {}
      }
      meeting.end()
    },
    Case("target-queue") {
      let (meeting, lock) = (Meeting(), NSLock())
      meeting.run(at: .userInitiated) { meeting in
        meeting.arrive()
        lock.withLock {}
      }
      let target = DispatchQueue(label: "target", target: .global(qos: .background))
      let queue = DispatchQueue(label: "queue", target: target)
      queue.async { lock.withLock { meeting.dawdle() } }
      meeting.end()
    },
    Case("group") {
      onScreen {
        let group = DispatchGroup()
        DispatchQueue.global(qos: .background).async(group: group) {
          Thread.sleep(forTimeInterval: Meeting.pause)
        }
        group.wait()
      }
    },
    Case("group-left") {
      onScreen {
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.global(qos: .background).async {
          Thread.sleep(forTimeInterval: Meeting.pause)
          group.leave()
        }
        group.wait()
      }
    },
    Case("work-item") {
      onScreen {
        let item = DispatchWorkItem { Thread.sleep(forTimeInterval: Meeting.pause) }
        DispatchQueue.global(qos: .utility).async(execute: item)
        item.wait()
      }
    },
    Case("submitted-signal") {
      onScreen {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .utility).async {
          Thread.sleep(forTimeInterval: Meeting.pause)
          done.signal()
        }
        done.wait()
      }
    },
    Case("signal-in-time") {
      onScreen {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .utility).async {
          Thread.sleep(forTimeInterval: Meeting.pause)
          done.signal()
        }
        _ = done.wait(timeout: .now() + 60)
      }
    },
    Case("operation") {
      onScreen {
        let queue = OperationQueue()
        queue.qualityOfService = .background
        queue.addOperation { Thread.sleep(forTimeInterval: Meeting.pause) }
        queue.waitUntilAllOperationsAreFinished()
      }
    },
    Case("urgent-operation") {
      let (meeting, lock) = (Meeting(), NSLock())
      meeting.run(at: .utility) { meeting in lock.withLock { meeting.dawdle() } }
      let operation = BlockOperation {
        meeting.arrive()
        lock.withLock {}
      }
      operation.qualityOfService = .userInitiated
      let queue = OperationQueue()
      queue.addOperations([operation], waitUntilFinished: true)
      meeting.end()
    },
    Case("task") {
      let (meeting, lock) = (Meeting(), NSLock())
      Task.detached(priority: .background) { Self.hold(lock, in: meeting) }
      meeting.run(at: .userInitiated) { meeting in
        meeting.arrive()
        lock.withLock {}
      }
      meeting.end()
    },
  ]

  /// An urgent work item on a utility queue waits for what utility work has.
  static func itemWaits(_ flags: DispatchWorkItemFlags) {
    let (meeting, lock, group) = (Meeting(), NSLock(), DispatchGroup())
    meeting.run(at: .utility) { meeting in lock.withLock { meeting.dawdle() } }
    let queue = DispatchQueue(label: "thumbnails", qos: .utility)
    queue.async(group: group, qos: .userInitiated, flags: flags) {
      meeting.arrive()
      lock.withLock {}
    }
    group.wait()
    meeting.end()
  }

  static func lock(slow: DispatchQoS?, urgent: DispatchQoS?) {
    let (meeting, lock) = (Meeting(), NSLock())
    meeting.run(at: slow) { meeting in lock.withLock { meeting.dawdle() } }
    meeting.run(at: urgent) { meeting in
      meeting.arrive()
      lock.withLock {}
    }
    meeting.end()
  }

  private static func hold(_ lock: NSLock, in meeting: Meeting) {
    lock.withLock { meeting.dawdle() }
  }

  /// Runs a part on the screen's queue and waits for it without a quality of its own.
  static func onScreen(_ part: @escaping @Sendable () -> Void) {
    let meeting = Meeting()
    meeting.run(at: .userInteractive) { _ in part() }
    meeting.end()
  }
}

final class Shared: Sendable {
  let value = Mutex(0)
}
