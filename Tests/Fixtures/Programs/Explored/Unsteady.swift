import Dispatch
import Foundation
import Synchronization
import Threadmill

/// Bodies that depend on more than the order of their threads, and some that only look like it.
enum Unsteady {
  static let all: [String: Body] = [
    "random-number": .code {
      let lock = NSLock()
      var generator = SystemRandomNumberGenerator()
      let count = generator.next() % 1_000
      Bodies.onThreads({ for _ in 0..<count { lock.withLock {} } }, { lock.withLock {} })
    },
    "left-behind": .code {
      let lock = NSLock()
      runs.value += 1
      for _ in 0..<(runs.value % 5) { lock.withLock {} }
    },
    // The same, and what is in a file might be why.
    "left-behind-beside-a-file": .code {
      let lock = NSLock()
      runs.value += FileManager.default.contents(atPath: "/etc/passwd") == nil ? 2 : 1
      for _ in 0..<(runs.value % 5) { lock.withLock {} }
    },
    // Fails once, and never again.
    "fails-once": .code {
      let lock = NSLock()
      runs.value += 1
      Bodies.onThreads({ lock.withLock {} }, { lock.withLock {} })
      if runs.value == 5 { throw Wrong("the fifth run") }
    },
    "oracle": .code {
      let lock = NSLock()
      for _ in 0..<(oracle.ask() % 7) { lock.withLock {} }
    },
    // The time of the exploration is the same each time.
    "date": .code {
      let lock = NSLock()
      for _ in 0..<(Int(Date().timeIntervalSince1970 * 1_000_000) % 50) { lock.withLock {} }
    },
    // The order of a set is that of the process.
    "set-order": .code {
      let locks = (0..<4).map { _ in NSLock() }
      for index in Set(0..<4) { locks[index].withLock {} }
    },
    // What is made once makes the first run of all another one, also where that one fails.
    "made-once-flawed": .code {
      let lock = NSLock()
      for _ in 0..<AlsoOnce.steps { lock.withLock {} }
      throw Wrong("always")
    },
    // What is made once makes the first run of all another one.
    "made-once": .code {
      let lock = NSLock()
      for _ in 0..<Once.steps { lock.withLock {} }
    },
    // Whoever goes first leaves its flag up, and the other one gives way for ever.
    "livelock": .code {
      let (lock, first, second) = (NSLock(), Cell(), Cell())
      @Sendable func goOn(_ mine: Cell, _ others: Cell) {
        while true {
          lock.withLock { mine.value = 1 }
          if lock.withLock({ others.value == 0 }) { return }
          lock.withLock { mine.value = 0 }
          if lock.withLock({ others.value == 2 }) { return }
        }
      }
      Bodies.onThreads({ goOn(first, second) }, { goOn(second, first) })
    },
    // A queue that was asked before, and that a block keeps for ever.
    "held-queue": .code {
      let queue = DispatchQueue(label: "held")
      queue.sync {}
      queue.async { DispatchSemaphore(value: 0).wait() }
      Thread.sleep(forTimeInterval: 1)  // Virtual: all others go first.
      queue.sync {}
    },
    // A lock that the body had before, and that a thread has tried to get and keeps for ever.
    "tried-lock": .code {
      let lock = NSLock()
      lock.withLock {}
      Thread.detachNewThread {
        if lock.try() { DispatchSemaphore(value: 0).wait() }
      }
      Thread.sleep(forTimeInterval: 1)  // Virtual: all others go first.
      lock.lock()
    },
    // Two threads of one name, which they give themselves.
    "named-threads": .code {
      let named: @Sendable () -> Void = {
        Thread.current.name = "saw"
        DispatchSemaphore(value: 0).wait()
      }
      Bodies.onThreads(named, named)
    },
    "spinning": .code {
      let (lock, never) = (NSLock(), Cell())
      while lock.withLock({ never.value == 0 }) {}
    },
  ]

  private static let runs = Cell()
  /// Made before anything is explored.
  static let oracle = Oracle()
}

private enum AlsoOnce {
  static let steps: Int = {
    let lock = NSLock()
    lock.withLock {}
    return 2
  }()
}

private enum Once {
  static let steps: Int = {
    let lock = NSLock()
    lock.withLock {}
    return 2
  }()
}

/// A thread that no exploration has started: it counts how often it was asked.
final class Oracle: Sendable {
  private let asked = Atomic(0)
  private let answered = Atomic(0)

  init() {
    Thread.detachNewThread { [self] in
      while true {
        if asked.load(ordering: .acquiring) > answered.load(ordering: .acquiring) {
          answered.add(1, ordering: .acquiringAndReleasing)
        }
        sched_yield()
      }
    }
  }

  func ask() -> Int {
    let number = asked.add(1, ordering: .acquiringAndReleasing).newValue
    while answered.load(ordering: .acquiring) < number { sched_yield() }
    return number
  }
}
