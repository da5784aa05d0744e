import Foundation
import Synchronization
import Threadmill

/// Bodies that claim something of all their steps.
extension Bodies {
  static let claims: [String: Body] = [
    // At the end the sum is right; between the two steps of a transfer it is not.
    "always": .code {
      let (lock, from, to) = (NSLock(), Cell(), Cell())
      from.value = 2
      always("the sum stays") { from.value + to.value == 2 }
      onThreads(
        {
          lock.withLock { from.value -= 1 }
          lock.withLock { to.value += 1 }
        }, { lock.withLock {} })
    },
    "always-repaired": .code {
      let (lock, from, to) = (NSLock(), Cell(), Cell())
      from.value = 2
      always("the sum stays") { from.value + to.value == 2 }
      onThreads(
        {
          lock.withLock {
            from.value -= 1
            to.value += 1
          }
        }, { lock.withLock {} })
    },
    // Two polite people at a door: each sees the other one, steps back, and tries again.
    "polite": .code {
      let door = Door()
      eventually("somebody is through") { door.isPassed.load(ordering: .relaxed) }
      onThreads({ door.pass(0, isStubborn: false) }, { door.pass(1, isStubborn: false) })
    },
    "polite-repaired": .code {
      let door = Door()
      eventually("somebody is through") { door.isPassed.load(ordering: .relaxed) }
      onThreads({ door.pass(0, isStubborn: true) }, { door.pass(1, isStubborn: false) })
    },
    // What it waits for is never done.
    "never": .code {
      let done = Cell()
      eventually("it is done") { done.value == 1 }
      onThreads({ done.value = 2 })
    },
    "eventually": .code {
      let (done, lock) = (Cell(), NSLock())
      eventually("it is done") { done.value == 1 }
      onThreads({ lock.withLock { done.value = 1 } }, { lock.withLock {} })
    },
  ]
}

private final class Door: Sendable {
  private let wants = [Flag(), Flag()]
  let isPassed = Atomic(false)

  private final class Flag: Sendable {
    let isUp = Mutex(false)
  }

  func pass(_ person: Int, isStubborn: Bool) {
    while !isPassed.load(ordering: .relaxed) {
      wants[person].isUp.withLock { $0 = true }
      sched_yield()
      let isInTheWay = wants[1 - person].isUp.withLock { $0 }
      sched_yield()
      if isInTheWay, !isStubborn {
        wants[person].isUp.withLock { $0 = false }
        sched_yield()
        continue
      }
      isPassed.store(true, ordering: .relaxed)
    }
  }
}
