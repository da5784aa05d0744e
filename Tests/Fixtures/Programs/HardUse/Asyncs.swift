import Dispatch
import Foundation

/// Submits this many blocks to queues of every kind; returns how many ran.
@Sendable func asyncs(_ number: Int) -> Int {
  let store = Store()
  var left = number
  while left > 0 {
    let batch = min(left, 5_000)
    let group = DispatchGroup()
    for index in 0..<batch { store.submit(index, to: group) }
    group.wait()
    left -= batch
  }
  return store.total
}

/// Counts on a serial queue, on one that targets it, behind barriers and behind a lock.
private final class Store: @unchecked Sendable {
  private let base = DispatchQueue(label: "base")
  private let inner: DispatchQueue
  private let shared = DispatchQueue(label: "shared", attributes: .concurrent)
  private let lock = NSLock()
  // Each is guarded by what it is named after.
  private var onBase = 0
  private var behindBarriers = 0
  private var underLock = 0

  init() { inner = DispatchQueue(label: "inner", target: base) }

  var total: Int {
    let counted = base.sync { onBase } + shared.sync { behindBarriers }
    return counted + lock.withLock { underLock }
  }

  func submit(_ index: Int, to group: DispatchGroup) {
    switch index % 6 {
    case 0: base.async(group: group) { self.onBase += 1 }
    case 1: inner.async(group: group) { self.onBase += 1 }
    case 2: submitItem(to: group)
    case 3:
      group.enter()
      shared.async(flags: .barrier) {
        self.behindBarriers += 1
        group.leave()
      }
    case 4:
      shared.async(group: group) {
        let seen = self.behindBarriers
        self.base.async(group: group) { self.onBase += seen >= 0 ? 1 : 0 }
      }
    default:
      DispatchQueue.global().async(group: group) { self.lock.withLock { self.underLock += 1 } }
    }
  }

  private func submitItem(to group: DispatchGroup) {
    group.enter()
    let item = DispatchWorkItem { self.lock.withLock { self.underLock += 1 } }
    item.notify(queue: base) { group.leave() }
    shared.async(execute: item)
  }
}
