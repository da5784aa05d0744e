@preconcurrency import Dispatch
import Foundation

let workItemPatterns: [Pattern] = [
  .submission("item-async", "async(execute:) of a work item") { work in
    DispatchQueue(label: "serial").async(execute: DispatchWorkItem(block: work))
  },

  .completion("item-wait", "DispatchWorkItem.wait") { work in
    let item = DispatchWorkItem(block: work)
    DispatchQueue.global().async(execute: item)
    return { item.wait() }
  },

  .completion("item-wait-timeout", "DispatchWorkItem.wait(timeout:)") { work in
    let item = DispatchWorkItem(block: work)
    DispatchQueue.global().async(execute: item)
    return { while item.wait(timeout: .now() + .microseconds(10)) == .timedOut {} }
  },

  .completion("item-perform", "DispatchWorkItem.perform, wait") { work in
    let item = DispatchWorkItem(block: work)
    Thread.detachNewThread { item.perform() }
    return { item.wait() }
  },

  .sequence("item-notify", "DispatchWorkItem.notify") { first, then, ordered in
    let item = DispatchWorkItem(block: first)
    let other = DispatchWorkItem {}
    (ordered ? item : other).notify(queue: DispatchQueue(label: "serial"), execute: then)
    DispatchQueue.global().async(execute: item)
    if !ordered { DispatchQueue.global().async(execute: other) }
  },

  .sequence("item-notify-late", "notify of an item that has run") { first, then, ordered in
    let (item, other) = (DispatchWorkItem(block: first), DispatchWorkItem {})
    let ran = Flag()
    let outer = DispatchQueue(label: "outer")
    outer.async {
      DispatchQueue.global().async(execute: item)
      DispatchQueue.global().async(execute: other)
      ran.raise()
    }
    ran.wait()
    (ordered ? item : other).notify(queue: DispatchQueue(label: "serial"), execute: then)
  },

  .sequence("item-notify-item", "notify(queue:execute:) of a work item") { first, then, ordered in
    let (item, other) = (DispatchWorkItem(block: first), DispatchWorkItem {})
    let queue = DispatchQueue(label: "serial")
    (ordered ? item : other).notify(queue: queue, execute: DispatchWorkItem(block: then))
    DispatchQueue.global().async(execute: item)
    DispatchQueue.global().async(execute: other)
  },

  .submission("item-notify-captures", "what is written before notify(queue:execute:)") { work in
    let item = DispatchWorkItem {}
    item.notify(queue: DispatchQueue(label: "serial"), execute: work)
    DispatchQueue.global().async(execute: item)
  },

  .exclusive("item-notify-queue", "a notification and the blocks of its queue") {
    let queue = DispatchQueue(label: "serial")
    let turn = AtomicBox()
    return { body in
      guard turn.value.add(1, ordering: .relaxed).oldValue % 2 == 0 else {
        return queue.async(execute: body)
      }
      let item = DispatchWorkItem {}
      item.notify(queue: queue, execute: body)
      DispatchQueue.global().async(execute: item)
    }
  },

  .exclusive("item-notify-target", "notifications on two queues with one target") {
    let target = DispatchQueue(label: "target")
    let queues = [
      DispatchQueue(label: "one", target: target), DispatchQueue(label: "other", target: target),
    ]
    let turn = AtomicBox()
    return { body in
      let queue = queues[turn.value.add(1, ordering: .relaxed).oldValue % 2]
      let item = DispatchWorkItem {}
      item.notify(queue: queue, execute: body)
      DispatchQueue.global().async(execute: item)
    }
  },

  .sequence("item-cancelled", "notify of a cancelled item") { first, then, ordered in
    let item = DispatchWorkItem { fatalError("a cancelled item ran") }
    item.notify(queue: DispatchQueue(label: "serial"), execute: then)
    if ordered { first() } else { Thread.detachNewThread(first) }
    item.cancel()
    DispatchQueue.global().async(execute: item)
  },

  .sequence("barrier-item-cancelled", "notify of a cancelled barrier item") {
    first, then, ordered in
    let item = DispatchWorkItem(flags: .barrier) { fatalError("a cancelled item ran") }
    item.notify(queue: DispatchQueue(label: "serial"), execute: then)
    if ordered { first() } else { Thread.detachNewThread(first) }
    item.cancel()
    DispatchQueue(label: "concurrent", attributes: .concurrent).async(execute: item)
  },

  .completion("barrier-item-wait", "wait of a barrier item") { work in
    let item = DispatchWorkItem(flags: .barrier, block: work)
    DispatchQueue(label: "concurrent", attributes: .concurrent).async(execute: item)
    return { item.wait() }
  },

  .completion("barrier-item-group-wait", "wait for the group of a barrier item") { work in
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    queue.async(group: group, execute: DispatchWorkItem(flags: .barrier, block: work))
    return { group.wait() }
  },

  .sequence("barrier-item-notified", "notify of a barrier item") { first, then, ordered in
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let item = DispatchWorkItem(flags: .barrier, block: first)
    let other = DispatchWorkItem {}
    (ordered ? item : other).notify(queue: DispatchQueue(label: "serial"), execute: then)
    queue.async(execute: item)
    if !ordered { DispatchQueue.global().async(execute: other) }
  },
]
