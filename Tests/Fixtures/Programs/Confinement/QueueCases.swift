import Foundation
import Threadmill

extension Case {
  static let queueCases: [Case] = right + wrong

  private static let right: [Case] = [
    .right("queue-async") { queue, ledger in
      let group = DispatchGroup()
      queue.async(group: group) { book(ledger) }
      group.wait()
    },
    .right("queue-sync") { queue, ledger in queue.sync { book(ledger) } },
    .right("queue-sync-of-thread") { queue, ledger in
      onThread { queue.sync { book(ledger) } }
    },
    .right("queue-sync-under-load") { queue, ledger in
      DispatchQueue.concurrentPerform(iterations: 200) { step in
        step % 2 == 0 ? queue.async { book(ledger) } : queue.sync { book(ledger) }
      }
      queue.sync {}
    },
    .right("inside-other-sync") { queue, ledger in
      let other = DispatchQueue(label: "other")
      queue.sync { other.sync { book(ledger) } }
    },
    .right("async-inside-other-sync") { queue, ledger in
      let other = DispatchQueue(label: "other")
      queue.async { other.sync { book(ledger) } }
      queue.sync {}
    },
    .right("through-target") { queue, ledger in
      let inner = DispatchQueue(label: "inner", target: queue)
      inner.sync { book(ledger) }
      inner.async { book(ledger) }
      inner.sync {}
    },
    .right("concurrent-through-target") { queue, ledger in
      let inner = DispatchQueue(label: "inner", attributes: .concurrent, target: queue)
      for _ in 0..<10 { inner.async { book(ledger) } }
      inner.sync(flags: .barrier) {}
    },
    .right("source-handler") { queue, ledger in onTimer(of: queue) { book(ledger) } },
    .right("source-handler-inside-other-sync") { queue, ledger in
      let other = DispatchQueue(label: "other")
      onTimer(of: queue) { other.sync { book(ledger) } }
    },
    .right("after-and-notify") { queue, ledger in
      let group = DispatchGroup()
      group.enter()
      queue.asyncAfter(deadline: .now() + 0.01) {
        book(ledger)
        group.leave()
      }
      let told = DispatchSemaphore(value: 0)
      group.notify(queue: queue) {
        book(ledger)
        told.signal()
      }
      told.wait()
    },
    .right("work-item") { queue, ledger in
      let item = DispatchWorkItem { book(ledger) }
      queue.async(execute: item)
      item.wait()
      queue.sync(execute: DispatchWorkItem { book(ledger) })
    },
    .right("operation") { queue, ledger in
      let operations = OperationQueue()
      operations.underlyingQueue = queue
      operations.addOperation { book(ledger) }
      operations.waitUntilAllOperationsAreFinished()
    },
    .right("concurrent-queue", isConcurrent: true) { queue, ledger in
      queue.sync(flags: .barrier) { book(ledger) }
      queue.async(flags: .barrier) { book(ledger) }
      queue.sync {}
    },
    .right("concurrent-source-inside-other-sync", isConcurrent: true) { queue, ledger in
      let other = DispatchQueue(label: "other")
      onTimer(of: queue) { other.sync { book(ledger) } }
    },
    Case(name: "global-queue", isRight: true) {
      book(Confined(to: .global()) { Ledger() })
    },
  ]

  private static let wrong: [Case] = [
    .wrong("thread") { _, ledger in onThread { book(ledger) } },
    .wrong("main-thread") { _, ledger in book(ledger) },
    .wrong("other-queue") { _, ledger in
      DispatchQueue(label: "other").sync { book(ledger) }
    },
    .wrong("global") { _, ledger in
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { book(ledger) }
      group.wait()
    },
    .wrong("after-its-sync") { queue, ledger in
      queue.sync {}
      book(ledger)
    },
    .wrong("target-only") { queue, _ in
      let inner = DispatchQueue(label: "inner", target: queue)
      let ledger = Confined(to: inner) { Ledger() }
      queue.sync { book(ledger) }
    },
    .wrong("sibling") { queue, _ in
      let first = DispatchQueue(label: "first", target: queue)
      let second = DispatchQueue(label: "second", target: queue)
      let ledger = Confined(to: first) { Ledger() }
      second.sync { book(ledger) }
    },
    .wrong("thread-started-inside") { queue, ledger in
      queue.sync { onThread { book(ledger) } }
    },
    .wrong("concurrent-queue-from-thread", isConcurrent: true) { _, ledger in
      onThread { book(ledger) }
    },
    .wrong("again-and-again") { _, ledger in for _ in 0..<1_000 { book(ledger) } },
    Case(name: "token", isRight: false) {
      let queue = DispatchQueue(label: "ledger")
      let confinement = Confinement(of: "Ledger", to: queue)
      queue.sync { look(confinement) }
      look(confinement)
    },
  ]

  typealias Body = @Sendable (DispatchQueue, Confined<Ledger>) -> Void

  static func right(
    _ name: String, isConcurrent: Bool = false, _ body: @escaping Body
  ) -> Case { make(name, isRight: true, isConcurrent, body) }

  static func wrong(
    _ name: String, isConcurrent: Bool = false, _ body: @escaping Body
  ) -> Case { make(name, isRight: false, isConcurrent, body) }

  private static func make(
    _ name: String, isRight: Bool, _ isConcurrent: Bool, _ body: @escaping Body
  ) -> Case {
    Case(name: name, isRight: isRight) {
      let queue = DispatchQueue(label: "ledger", attributes: isConcurrent ? .concurrent : [])
      body(queue, Confined(to: queue) { Ledger() })
    }
  }
}

/// Runs `body` on a thread of its own and waits for it.
private func onThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

/// Runs `body` in a handler of a timer on the queue, and waits for it.
private func onTimer(of queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let timer = DispatchSource.makeTimerSource(queue: queue)
  timer.schedule(deadline: .now() + 0.01)
  timer.setEventHandler {
    body()
    done.signal()
  }
  timer.resume()
  done.wait()
  timer.cancel()
}
