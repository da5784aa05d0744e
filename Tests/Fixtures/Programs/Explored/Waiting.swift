import Dispatch
import Foundation
import Synchronization
import Threadmill

/// Bodies that spin, cancel, wait for work items, or do what is not under control.
extension Bodies {
  static let waiting: [String: Body] = [
    "spin": .code {
      let flag = Atomic(false)
      onThreads(
        { while !flag.load(ordering: .acquiring) { sched_yield() } },
        { flag.store(true, ordering: .releasing) })
    },
    // The one that is waited for sleeps: time has to pass while the other one spins.
    "spin-for-sleeper": .code {
      let flag = Atomic(false)
      onThreads(
        { while !flag.load(ordering: .acquiring) { sched_yield() } },
        {
          sleep(5)
          flag.store(true, ordering: .releasing)
        })
    },
    // A flow spins while another one has steps to make: the third one's time must not come before
    // these are made.
    "spin-beside-sleeper": .code {
      let isDone = Atomic(false)
      let isLate = Atomic(false)
      let lock = NSLock()
      let ready = DispatchSemaphore(value: 0)
      onThreads(
        { while !isDone.load(ordering: .acquiring) { sched_yield() } },
        {
          for _ in 0..<3 { lock.withLock {} }
          ready.signal()
          isDone.store(true, ordering: .releasing)
        },
        {
          let day = DispatchTime.now() + .seconds(86_400)
          if ready.wait(timeout: day) == .timedOut { isLate.store(true, ordering: .relaxed) }
        })
      if isLate.load(ordering: .relaxed) { throw Wrong("a day has passed") }
    },
    "busy-wait": .code {
      let begun = ContinuousClock.now
      onThreads({ while ContinuousClock.now - begun < .seconds(3) {} }, { sleep(1) })
    },
    // A thread ends, and nobody can take the lock any more that it still has.
    "ended-owner": .code {
      let lock = NSLock()
      onThreads({ lock.lock() }, { lock.lock() })
    },
    "ended-owner-repaired": .code {
      let lock = NSLock()
      onThreads({ lock.withLock {} }, { lock.withLock {} })
    },
    "loop-without-call": .code {
      let flag = Atomic(false)
      onThreads(
        { while !flag.load(ordering: .relaxed) {} }, { flag.store(true, ordering: .relaxed) })
    },
    "work-items": .code {
      let order = Mutex<[Int]>([])
      nonisolated(unsafe) let item = DispatchWorkItem { order.withLock { $0.append(1) } }
      let done = DispatchSemaphore(value: 0)
      item.notify(queue: .global()) {
        order.withLock { $0.append(3) }
        done.signal()
      }
      DispatchQueue.global().async(execute: item)
      item.wait()
      order.withLock { $0.append(2) }
      done.wait()
      let seen = order.withLock { $0 }
      if seen != [1, 2, 3] && seen != [1, 3, 2] { throw Wrong(seen) }
    },
    "cancelled-item": .code {
      let count = Atomic(0)
      nonisolated(unsafe) let item = DispatchWorkItem { count.add(1, ordering: .relaxed) }
      DispatchQueue.global().async(execute: item)
      DispatchQueue.global().async { item.cancel() }
      item.wait()
      if count.load(ordering: .relaxed) > 1 { throw Wrong("twice") }
    },
    // Wrong where the item was cancelled before it began.
    "cancel-comes-first": .code {
      let count = Atomic(0)
      nonisolated(unsafe) let item = DispatchWorkItem { count.add(1, ordering: .relaxed) }
      let done = DispatchGroup()
      DispatchQueue.global().async(group: done, execute: item)
      DispatchQueue.global().async(group: done) { item.cancel() }
      done.wait()
      if count.load(ordering: .relaxed) == 0 { throw Wrong("cancelled") }
    },
    "file": .code {
      onThreads({ _ = FileManager.default.contents(atPath: "/etc/passwd") }, {})
    },
    "thread-from-outside": .code { outsider.ask() },
    // The child takes a lock: nobody else of the exploration is there.
    "fork": .code {
      let lock = NSLock()
      onThreads({ lock.withLock {} }, { lock.withLock {} })
      let child = forked()
      if child == 0 {
        lock.withLock {}
        _exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      if status != 0 { throw Wrong(status) }
    },
  ]

  /// Swift has no `fork`.
  private static func forked() -> pid_t {
    unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
  }

  /// A thread that is there before anything is explored.
  static let outsider = Outsider()
}

final class Outsider: Sendable {
  private let asked = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      while true {
        asked.wait()
        // So late that everybody else waits.
        usleep(20_000)
        answered.signal()
      }
    }
  }

  func ask() {
    asked.signal()
    answered.wait()
  }
}
