import Foundation
import Synchronization

extension Case {
  /// Between pieces of work that are things of their own: groups, work items, operations.
  static let items: [Case] = [
    Case("group-wait") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      DispatchQueue.global().async(group: group) {
        pair.forward()
        done.raise()
      }
      if isOrdered { group.wait() } else { done.wait() }
      pair.backward()
      if !isOrdered { group.wait() }
    },
    Case("group-notify") { isOrdered in
      let (pair, done, group) = (Pair(), Flag(), DispatchGroup())
      let (watched, ended) = (DispatchGroup(), DispatchSemaphore(value: 0))
      DispatchQueue.global().async(group: group) {
        pair.forward()
        done.raise()
      }
      (isOrdered ? group : watched).notify(queue: .global()) {
        done.wait()
        pair.backward()
        ended.signal()
      }
      ended.wait()
      group.wait()
    },
    Case("work-item-wait") { isOrdered in
      let (pair, done) = (Pair(), Flag())
      let item = Self.item(pair, done)
      DispatchQueue.global().async(execute: item)
      if isOrdered { item.wait() } else { done.wait() }
      pair.backward()
      if !isOrdered { item.wait() }
    },
    Case("work-item-notify") { isOrdered in
      let (pair, done, ended) = (Pair(), Flag(), DispatchSemaphore(value: 0))
      let (item, other) = (Self.item(pair, done), DispatchWorkItem {})
      (isOrdered ? item : other).notify(queue: .global()) {
        done.wait()
        pair.backward()
        ended.signal()
      }
      DispatchQueue.global().async(execute: item)
      other.perform()
      ended.wait()
      item.wait()
    },
    // Which blocks share a worker is chance, and what one of them knows the other need not.
    Case("shared-worker") { isOrdered in
      var pair = Pair()
      var workers: [pthread_t] = []
      repeat {
        pair = Pair()
        workers = Self.workers(of: pair, waitingForFirst: isOrdered)
      } while workers[0] != workers[1]
      pair.backward()
    },
    Case("operation-queue-wait") { isOrdered in
      let (pair, done, over, queue) = (Pair(), Flag(), Flag(), OperationQueue())
      queue.addOperation {
        pair.forward()
        done.raise()
        if !isOrdered { over.wait() }
      }
      if isOrdered { queue.waitUntilAllOperationsAreFinished() } else { done.wait() }
      pair.backward()
      over.raise()
      if !isOrdered { queue.waitUntilAllOperationsAreFinished() }
    },
    Case("operation-wait") { isOrdered in
      let (pair, done, over, queue) = (Pair(), Flag(), Flag(), OperationQueue())
      let operation = BlockOperation {
        pair.forward()
        done.raise()
        if !isOrdered { over.wait() }
      }
      queue.addOperation(operation)
      if isOrdered { operation.waitUntilFinished() } else { done.wait() }
      pair.backward()
      over.raise()
      if !isOrdered { operation.waitUntilFinished() }
    },
    Case("operation-dependency") { isOrdered in
      let (pair, done, over) = (Pair(), Flag(), Flag())
      let queues = [OperationQueue(), OperationQueue()]
      // Each serial queue gets a thread, also while another thread keeps the only core busy.
      for queue in queues { queue.underlyingQueue = DispatchQueue(label: "work") }
      let first = BlockOperation {
        pair.forward()
        done.raise()
        if !isOrdered { over.wait() }
      }
      let second = BlockOperation {
        done.wait()
        pair.backward()
        over.raise()
      }
      if isOrdered { second.addDependency(first) }
      queues[0].addOperation(first)
      queues[1].addOperation(second)
      for queue in queues { queue.waitUntilAllOperationsAreFinished() }
    },
    // The second operation is added while the first one's end is being told to it.
    Case("operation-dependency-late") { isOrdered in
      let turns = Turns()
      let queues = [OperationQueue(), OperationQueue()]
      for queue in queues { queue.underlyingQueue = DispatchQueue(label: "work") }
      let (first, second) = (FirstOperation(turns), SecondOperation(turns, follows: isOrdered))
      if isOrdered { second.addDependency(first) }
      turns.begin.raise()
      queues[0].addOperation(first)
      // This thread learns by atomic numbers alone what the operations have done.
      turns.firstIsOver.wait()
      queues[1].addOperation(second)
      turns.secondIsOver.wait()
      for queue in queues { queue.waitUntilAllOperationsAreFinished() }
    },
  ]

  /// Has one block go forward and, after that, another one do nothing; waits for the second by all
  /// means. Returns the threads that ran them.
  private static func workers(of pair: Pair, waitingForFirst: Bool) -> [pthread_t] {
    let (done, first, second) = (Flag(), DispatchGroup(), DispatchGroup())
    let (one, two) = (Worker(), Worker())
    DispatchQueue.global().async(group: first) {
      pair.forward()
      one.note()
      done.raise()
    }
    if waitingForFirst { first.wait() }
    done.wait()
    DispatchQueue.global().async(group: second) { two.note() }
    second.wait()
    return [one.thread, two.thread]
  }

  private static func item(_ pair: Pair, _ done: Flag) -> DispatchWorkItem {
    DispatchWorkItem {
      pair.forward()
      done.raise()
    }
  }
}

/// The thread on which something ran.
private final class Worker: Sendable {
  private let number = Atomic<pthread_t>(0)

  var thread: pthread_t { number.load(ordering: .sequentiallyConsistent) }

  func note() { number.store(pthread_self(), ordering: .sequentiallyConsistent) }
}
