import Dispatch
import Synchronization

// Groups that are notified while they are empty. All but one of these programs are right.

let groupCases: [String: @Sendable () -> Void] = [
  "notified-before-entered": {
    // The only wrong one: the notification is for work that starts right after it.
    let group = DispatchGroup()
    group.notify(queue: .global()) {}
    start(3, in: group)
  },
  "notified-before-blocks": {
    let group = DispatchGroup()
    group.notify(queue: .global()) {}
    DispatchQueue(label: "work").async(group: group) {}
  },
  "notified-after-entered": {
    let group = DispatchGroup()
    start(3, in: group)
    group.notify(queue: .global()) {}
  },
  "empty-list": {
    let group = DispatchGroup()
    start(0, in: group)
    group.notify(queue: .global()) {}
  },
  "reused-in-batches": {
    let group = DispatchGroup()
    for size in [0, 2, 3] {
      start(size, in: group)
      let told = DispatchSemaphore(value: 0)
      group.notify(queue: .global()) { told.signal() }
      told.wait()
    }
  },
  "notified-then-waited-for": {
    let group = DispatchGroup()
    group.notify(queue: .global()) {}
    start(2, in: group)
    group.wait()
  },
  "notified-twice": {
    let group = DispatchGroup()
    group.notify(queue: .global()) {}
    start(2, in: group)
    group.notify(queue: .global()) {}
  },
  "idle-tracker": {
    let tracker = Tracker()
    tracker.whenIdle {}
    tracker.begin()
    elsewhere { tracker.end() }
  },
  "closed-before-used": {
    let tracker = Tracker()
    tracker.whenIdle {}
    tracker.begin()
    tracker.end()
  },
  "entered-by-another-block": {
    let group = DispatchGroup()
    group.notify(queue: .global()) {}
    elsewhere { group.enter() }
    elsewhere { group.leave() }
  },
  "blocks-and-enters": {
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "work", attributes: .concurrent)
    for _ in 0..<50 { queue.async(group: group) {} }
    for _ in 0..<50 {
      group.enter()
      queue.async(group: group) {}
      queue.async { group.leave() }
    }
    group.wait()
  },
  "left-once-too-often-beside-blocks": {
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "work")
    for _ in 0..<3 { queue.async(group: group) {} }
    group.enter()
    group.leave()
    group.wait()
    group.leave()
  },
  "made-in-a-function": { leave(tooOften: groupOfFunction()) },
  "made-in-a-task": {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      leave(tooOften: await groupOfTask())
      isOver.signal()
    }
    isOver.wait()
  },
  "left-after-notified": {
    let group = DispatchGroup()
    group.enter()
    group.leave()
    group.notify(queue: .global()) {}
    start(1, in: group)
  },
]

@inline(never) private func groupOfFunction() -> DispatchGroup { DispatchGroup() }

@inline(never) private func groupOfTask() async -> DispatchGroup {
  await Task.yield()
  return DispatchGroup()
}

private func leave(tooOften group: DispatchGroup) {
  group.enter()
  group.leave()
  group.leave()
}

/// Work that enters the group here and leaves it elsewhere; over when this returns.
@inline(never) private func start(_ count: Int, in group: DispatchGroup) {
  let queue = DispatchQueue(label: "work")
  for _ in 0..<count {
    group.enter()
    queue.async { group.leave() }
  }
  queue.sync {}
}

private func elsewhere(_ work: @escaping @Sendable () -> Void) {
  let queue = DispatchQueue(label: "elsewhere")
  queue.async(execute: work)
  queue.sync {}
}

private final class Tracker: Sendable {
  private let group = DispatchGroup()

  @inline(never) func whenIdle(_ tell: @escaping @Sendable () -> Void) {
    group.notify(queue: .global()) { tell() }
  }
  @inline(never) func begin() { group.enter() }
  @inline(never) func end() { group.leave() }
}
