import Dispatch
import Foundation

// Groups that are waited for inside a queue.

let groupWaitCases: [String: @Sendable () -> Void] = stuckGroupWaits.merging(rightGroupWaits) {
  first, _ in first
}

/// None of these comes back.
private let stuckGroupWaits: [String: @Sendable () -> Void] = [
  "waits-in-async": {
    let desk = DispatchQueue(label: "desk")
    inside(desk) { waitForWork(on: desk) }
  },
  "waits-in-sync": {
    let desk = DispatchQueue(label: "desk")
    desk.sync { waitForWork(on: desk) }
  },
  "waits-in-work-item": {
    let desk = DispatchQueue(label: "desk")
    let item = DispatchWorkItem { waitForWork(on: desk) }
    desk.async(execute: item)
    item.wait()
  },
  "waits-on-main-thread": { waitForWork(on: .main) },
  "waits-in-target": {
    let house = DispatchQueue(label: "house")
    let room = DispatchQueue(label: "room", target: house)
    inside(house) { waitForWork(on: room) }
  },
  "waits-in-concurrent-queue-of-serial-target": {
    let house = DispatchQueue(label: "house")
    let hall = DispatchQueue(label: "hall", attributes: .concurrent, target: house)
    inside(hall) { waitForWork(on: hall) }
  },
  "waits-for-block-of-another-thread": {
    let desk = DispatchQueue(label: "desk")
    let group = DispatchGroup()
    let submitted = DispatchSemaphore(value: 0)
    let over = DispatchSemaphore(value: 0)
    desk.async {
      submitted.wait()
      waitFor(group)
      over.signal()
    }
    submit(to: desk, in: group)
    submitted.signal()
    over.wait()
  },
  "waits-beside-an-enter": {
    let desk = DispatchQueue(label: "desk")
    let group = DispatchGroup()
    inside(desk) {
      group.enter()
      DispatchQueue.global().async { group.leave() }
      submit(to: desk, in: group)
      waitFor(group)
    }
  },
]

/// All of these do, although much of it looks the same.
private let rightGroupWaits: [String: @Sendable () -> Void] = [
  "waits-with-a-limit": {
    let desk = DispatchQueue(label: "desk")
    let group = DispatchGroup()
    inside(desk) {
      submit(to: desk, in: group)
      _ = group.wait(timeout: .now())
      _ = group.wait(timeout: .now() + .milliseconds(20))
      _ = group.wait(wallTimeout: .now() + .milliseconds(20))
    }
    waitFor(group)
  },
  "waits-in-concurrent-queue": {
    let hall = DispatchQueue(label: "hall", attributes: .concurrent)
    inside(hall) { waitForWork(on: hall) }
  },
  "waits-for-an-enter": {
    let desk = DispatchQueue(label: "desk")
    let group = DispatchGroup()
    inside(desk) {
      group.enter()
      DispatchQueue.global().async { group.leave() }
      waitFor(group)
    }
  },
  "waits-for-another-queue": {
    let desk = DispatchQueue(label: "desk")
    let other = DispatchQueue(label: "other")
    inside(desk) { waitForWork(on: other) }
  },
  "waits-for-a-queue-in-use": {
    let desk = DispatchQueue(label: "desk")
    let other = DispatchQueue(label: "other")
    let free = DispatchSemaphore(value: 0)
    other.async { free.wait() }
    inside(desk) {
      let group = DispatchGroup()
      submit(to: other, in: group)
      later { free.signal() }
      waitFor(group)
    }
  },
  "waits-for-a-block-that-runs": {
    let desk = DispatchQueue(label: "desk")
    let other = DispatchQueue(label: "other")
    let group = DispatchGroup()
    let begun = DispatchSemaphore(value: 0)
    let free = DispatchSemaphore(value: 0)
    inside(desk) {
      other.async(group: group) {
        begun.signal()
        free.wait()
      }
      begun.wait()
      later { free.signal() }
      waitFor(group)
    }
  },
  "waits-for-a-block-that-is-over": {
    let desk = DispatchQueue(label: "desk")
    let group = DispatchGroup()
    for _ in 0..<200 {
      submit(to: desk, in: group)
      inside(desk) { waitFor(group) }
    }
  },
  "waits-outside": {
    let desk = DispatchQueue(label: "desk")
    for _ in 0..<200 {
      desk.sync {}
      waitForWork(on: desk)
    }
  },
  "waits-for-a-queue-beside-its-own": {
    let hall = DispatchQueue(label: "hall", attributes: .concurrent)
    let desk = DispatchQueue(label: "desk", target: hall)
    let bench = DispatchQueue(label: "bench", target: hall)
    inside(desk) { waitForWork(on: bench) }
  },
  "waits-for-a-queue-that-moves-away": {
    let house = DispatchQueue(label: "house")
    let room = DispatchQueue(label: "room", attributes: .initiallyInactive, target: house)
    inside(house) {
      let group = DispatchGroup()
      submit(to: room, in: group)
      later {
        room.setTarget(queue: .global())
        room.activate()
      }
      waitFor(group)
    }
  },
  "waits-for-the-main-queue-elsewhere": {
    DispatchQueue.global().async {
      waitForWork(on: .main)
      exit(0)
    }
    dispatchMain()
  },
]

@inline(never) private func waitForWork(on queue: DispatchQueue) {
  let group = DispatchGroup()
  submit(to: queue, in: group)
  waitFor(group)
}

@inline(never) private func submit(to queue: DispatchQueue, in group: DispatchGroup) {
  queue.async(group: group) {}
}

@inline(never) private func waitFor(_ group: DispatchGroup) { group.wait() }

/// Most likely while a wait that follows is on; it is right in any order.
private func later(_ work: @escaping @Sendable () -> Void) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50), execute: work)
}

/// Returns when the work is over.
private func inside(_ queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
  let over = DispatchSemaphore(value: 0)
  queue.async {
    work()
    over.signal()
  }
  over.wait()
}
