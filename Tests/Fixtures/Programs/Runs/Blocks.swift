import Dispatch
import Foundation
import Synchronization

/// Two locks, and the two orders in which this program takes them.
final class Pair: Sendable {
  private let hammer = NSLock()
  private let saw = NSLock()

  private let isOver = Atomic(false)

  @inline(never) func forward() {
    hammer.withLock { saw.withLock {} }
    isOver.store(true, ordering: .sequentiallyConsistent)
  }

  /// Comes after `forward` in this run, by what nobody who watches locks learns anything from.
  @inline(never) func backward() {
    while !isOver.load(ordering: .sequentiallyConsistent) { sched_yield() }
    saw.withLock { hammer.withLock {} }
  }
}

extension DispatchQueue {
  /// Three queues, each the target of the one before.
  static func thumbnails() -> DispatchQueue {
    let media = DispatchQueue(
      label: "media", attributes: .concurrent, target: .global(qos: .utility))
    let images = DispatchQueue(label: "images", attributes: .concurrent, target: media)
    return DispatchQueue(label: "thumbnails", target: images)
  }
}

extension Case {
  static let blocks: [Case] = [
    Case("chain") {
      inGroup { pair, group in
        DispatchQueue.thumbnails().async(group: group) { pair.backward() }
      }
    },
    Case("item") {
      inGroup { pair, group in
        let item = DispatchWorkItem(flags: .barrier) { pair.backward() }
        DispatchQueue.thumbnails().async(group: group, execute: item)
      }
    },
    Case("perform") {
      inGroup { pair, group in
        DispatchQueue.thumbnails().async(group: group) {
          DispatchQueue.concurrentPerform(iterations: 1) { _ in pair.backward() }
        }
      }
    },
    Case("sync") {
      inGroup { pair, group in
        DispatchQueue.thumbnails().async(group: group) {
          DispatchQueue(label: "inner").sync { pair.backward() }
        }
      }
    },
    Case("alone") {
      let (pair, ended) = (Pair(), DispatchSemaphore(value: 0))
      DispatchQueue.global().async {
        pair.backward()
        ended.signal()
      }
      pair.forward()
      ended.wait()
    },
  ]

  private static func inGroup(_ submit: (Pair, DispatchGroup) -> Void) {
    let (pair, group) = (Pair(), DispatchGroup())
    submit(pair, group)
    pair.forward()
    group.wait()
  }
}
