import Dispatch
import Foundation
import Threadmill

/// Words that are written without a lock: wrong where memory accesses are points, and a data race
/// to Thread Sanitizer.
extension Bodies {
  static let plain: [String: Body] = [
    "lost-update": .code {
      let counter = Cell()
      onThreads({ counter.value += 1 }, { counter.value += 1 })
      if counter.value != 2 { throw Wrong(counter.value) }
    },
    "lost-update-repaired": .code {
      let (counter, lock) = (Cell(), NSLock())
      onThreads(
        { lock.withLock { counter.value += 1 } }, { lock.withLock { counter.value += 1 } })
      if counter.value != 2 { throw Wrong(counter.value) }
    },
    "lost-update-blocks": .code {
      let (counter, group) = (Cell(), DispatchGroup())
      for _ in 0..<2 { DispatchQueue.global().async(group: group) { counter.value += 1 } }
      group.wait()
      if counter.value != 2 { throw Wrong(counter.value) }
    },
    "lost-update-tasks": .task {
      let counter = Cell()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { counter.value += 1 } }
      }
      if counter.value != 2 { throw Wrong(counter.value) }
    },
  ]
}
