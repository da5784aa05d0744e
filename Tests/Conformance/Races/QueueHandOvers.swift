import Dispatch
import Foundation

/// Correct programs in which libdispatch is all that orders the accesses.
let queueHandOvers: [Program] = [
  .correct("serial-sync") {
    let cell = Cell()
    let queue = DispatchQueue(label: "serial")
    meet({ queue.sync { cell.store(1) } }, { queue.sync { cell.store(2) } })
  },

  .correct("serial-async") {
    let cell = Cell()
    let queue = DispatchQueue(label: "serial")
    let done = Flag()
    cell.store(1)
    queue.async { cell.store(2) }
    queue.async { cell.store(3) }
    queue.sync { cell.store(4) }
    cell.store(5)
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
      cell.store(6)
      done.raise()
    }
    done.wait()
  },

  .correct("barrier") {
    let cell = Cell()
    let done = Flag()
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    queue.async { cell.read() }
    queue.async(flags: .barrier) { cell.store(2) }
    queue.async { cell.read() }
    queue.sync(flags: .barrier) { cell.store(3) }
    queue.async {
      cell.read()
      done.raise()
    }
    done.wait()
  },

  .correct("target-queue") {
    let cell = Cell()
    let target = DispatchQueue(label: "target")
    let one = DispatchQueue(label: "one", target: target)
    let other = DispatchQueue(label: "other", target: target)
    meet({ one.sync { cell.store(1) } }, { other.sync { cell.store(2) } })
  },

  .correct("dispatch-semaphore") {
    let cell = Cell()
    let semaphore = DispatchSemaphore(value: 0)
    meet(
      {
        cell.store(1)
        semaphore.signal()
      },
      {
        semaphore.wait()
        cell.store(2)
      })
  },

  .correct("group-wait") {
    let cell = Cell()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { cell.store(1) }
    group.wait()
    cell.store(2)
  },

  .correct("group-leave") {
    let cell = Cell()
    let group = DispatchGroup()
    group.enter()
    meet(
      {
        cell.store(1)
        group.leave()
      },
      {
        group.wait()
        cell.store(2)
      })
  },

  .correct("group-notify") {
    let cell = Cell()
    let group = DispatchGroup()
    let done = Flag()
    DispatchQueue.global().async(group: group) { cell.store(1) }
    group.notify(queue: DispatchQueue(label: "notified")) {
      cell.store(2)
      done.raise()
    }
    done.wait()
  },

  .correct("work-item") {
    let cell = Cell()
    let item = DispatchWorkItem { cell.store(1) }
    DispatchQueue.global().async(execute: item)
    item.wait()
    cell.store(2)
  },

  .correct("perform") {
    let cells = (0..<64).map { _ in Cell() }
    DispatchQueue.concurrentPerform(iterations: 64) { cells[$0].store(1) }
    for cell in cells { cell.store(2) }
  },

  .correct("once") {
    meet({ madeOnce.read() }, { madeOnce.read() })
  },

  .correct("operations") {
    let cell = Cell()
    let queue = OperationQueue()
    let first = BlockOperation { cell.store(1) }
    let second = BlockOperation { cell.store(2) }
    second.addDependency(first)
    queue.addOperations([second, first], waitUntilFinished: true)
    cell.store(3)
  },
]

private let madeOnce: Cell = {
  let cell = Cell()
  cell.store(1)
  return cell
}()
