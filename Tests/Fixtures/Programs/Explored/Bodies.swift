import Dispatch
import Foundation
import Synchronization
import Threadmill

/// What is explored: `NAME` goes wrong in some order, `NAME-repaired` and the rest in none.
enum Body: Sendable {
  case code(@Sendable () throws -> Void)
  case task(@Sendable () async throws -> Void)

  func explored(
    schedules: Int, strategy: ExplorationStrategy, seed: UInt64
  ) throws -> Exploration {
    switch self {
    case .code(let code):
      try explore(schedules: schedules, strategy: strategy, seed: seed, code)
    case .task(let task):
      try explore(schedules: schedules, strategy: strategy, seed: seed, task)
    }
  }

  /// The body as a framework explores it.
  var asynchronous: @Sendable () async throws -> Void {
    switch self {
    case .code(let code): code
    case .task(let task): task
    }
  }

  func replayed(_ schedule: Schedule) throws -> Exploration {
    switch self {
    case .code(let code): try explore(replaying: schedule, code)
    case .task(let task): try explore(replaying: schedule, task)
    }
  }
}

struct Wrong: Error, CustomStringConvertible {
  let description: String
  init(_ what: some CustomStringConvertible) { description = "wrong: \(what)" }
}

/// A word that is written without any lock; whoever explores is the only one who has its turn.
final class Cell: @unchecked Sendable {
  var value = 0
}

enum Bodies {
  static let all: [String: Body] = [
    threads, queues, tasks, cancellations, awaits, waiting, plain, libraries, timers, files,
    claims,
  ].reduce(into: [:]) { $0.merge($1) { $1 } }

  /// Those that go wrong in some order, or do what is not under control.
  private static let flawed: Set = [
    "opposite-locks", "opposite-locks-exit", "check-then-act", "lost-wakeup", "synced-accessors",
    "reentrancy",
    "cancel-comes-first", "lost-update", "lost-update-blocks", "lost-update-tasks",
    "loop-without-call", "file", "thread-from-outside", "fork", "ended-owner", "await-answer",
    "await-parcel",
    "await-messenger", "await-letters", "await-messengers", "event-loop", "pipe", "full-pipe",
    "poll", "select", "pair", "echo", "ticks", "own-signal", "child", "child-pipe", "always",
    "polite", "never", "equal-delays", "asked-twice", "cancelled-at-the-end", "resumed-under-lock",
    "resumed-under-mutex", "yielded-under-lock", "yielded-under-mutex", "cancelled-between",
    "started-too-early",
  ]
  static let correct = all.keys.filter { !flawed.contains($0) }.sorted()

  /// Runs each on a thread of its own, and waits for all.
  static func onThreads(_ bodies: (@Sendable () -> Void)...) {
    let done = DispatchSemaphore(value: 0)
    for body in bodies {
      Thread.detachNewThread {
        body()
        done.signal()
      }
    }
    for _ in bodies { done.wait() }
  }

  static let threads: [String: Body] = [
    "signal-answers": .code {
      let (bell, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        bell.wait()
        done.signal()
      }
      sleep(1)
      let answers = [bell.signal() != 0, bell.signal() != 0]
      done.wait()
      if answers != [true, false] { throw Wrong(answers) }
    },
    "opposite-locks": .code {
      let (first, second) = (NSLock(), NSLock())
      onThreads(
        { first.withLock { second.withLock {} } }, { second.withLock { first.withLock {} } })
    },
    "opposite-locks-exit": .code {
      let (first, second) = (NSLock(), NSLock())
      onThreads(
        { first.withLock { second.withLock {} } }, { second.withLock { first.withLock {} } })
      exit(0)
    },
    "opposite-locks-repaired": .code {
      let (first, second) = (NSLock(), NSLock())
      onThreads(
        { first.withLock { second.withLock {} } }, { first.withLock { second.withLock {} } })
    },
    "check-then-act": .code {
      let (lock, made) = (NSLock(), Cell())
      let find: @Sendable () -> Void = {
        let isThere = lock.withLock { made.value > 0 }
        if !isThere { lock.withLock { made.value += 1 } }
      }
      onThreads(find, find)
      if made.value != 1 { throw Wrong(made.value) }
    },
    "check-then-act-repaired": .code {
      let (lock, made) = (NSLock(), Cell())
      let find: @Sendable () -> Void = { lock.withLock { if made.value == 0 { made.value = 1 } } }
      onThreads(find, find)
      if made.value != 1 { throw Wrong(made.value) }
    },
    // The signal is lost where it comes before the wait.
    "lost-wakeup": .code {
      let (condition, ready) = (NSCondition(), Cell())
      onThreads(
        {
          let isReady = condition.withLock { ready.value == 1 }
          if !isReady { condition.withLock { condition.wait() } }
        },
        {
          condition.withLock {
            ready.value = 1
            condition.signal()
          }
        })
    },
    "lost-wakeup-repaired": .code {
      let (condition, ready) = (NSCondition(), Cell())
      onThreads(
        { condition.withLock { while ready.value == 0 { condition.wait() } } },
        {
          condition.withLock {
            ready.value = 1
            condition.signal()
          }
        })
    },
    "time-limit": .code {
      let (gate, began) = (DispatchSemaphore(value: 0), ContinuousClock.now)
      onThreads(
        {
          Thread.sleep(forTimeInterval: 30)
          gate.signal()
        }, {})
      if gate.wait(timeout: .now() + 60) == .timedOut { throw Wrong("too early") }
      if gate.wait(timeout: .now() + 60) == .success { throw Wrong("twice") }
      let passed = ContinuousClock.now - began
      if passed < .seconds(90) || passed > .seconds(91) { throw Wrong(passed) }
    },
    "readers": .code {
      let value = Cell()
      nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
      pthread_rwlock_init(lock, nil)
      let write: @Sendable () -> Void = {
        pthread_rwlock_wrlock(lock)
        value.value += 1
        pthread_rwlock_unlock(lock)
      }
      onThreads(write, write)
      pthread_rwlock_rdlock(lock)
      if value.value != 2 { throw Wrong(value.value) }
      pthread_rwlock_unlock(lock)
      pthread_rwlock_destroy(lock)
      lock.deallocate()
    },
    "nested": .code {
      do {
        _ = try explore(schedules: 1) {}
      } catch ExplorationError.nested {
        return
      }
      throw Wrong("an exploration in an exploration")
    },
  ]

  static let queues: [String: Body] = [
    "synced-accessors": .code {
      let (queue, group, value) = (DispatchQueue(label: "accessors"), DispatchGroup(), Cell())
      for _ in 0..<2 {
        DispatchQueue.global().async(group: group) {
          let old = queue.sync { value.value }
          queue.sync { value.value = old + 1 }
        }
      }
      group.wait()
      if value.value != 2 { throw Wrong(value.value) }
    },
    "synced-accessors-repaired": .code {
      let (queue, group, value) = (DispatchQueue(label: "accessors"), DispatchGroup(), Cell())
      for _ in 0..<2 {
        DispatchQueue.global().async(group: group) { queue.sync { value.value += 1 } }
      }
      group.wait()
      if value.value != 2 { throw Wrong(value.value) }
    },
    "barriers": .code {
      let queue = DispatchQueue(label: "barriers", attributes: .concurrent)
      let readers = Atomic(0)
      let writers = Atomic(0)
      let seen = Cell()
      for _ in 0..<2 {
        queue.async {
          readers.add(1, ordering: .relaxed)
          if writers.load(ordering: .relaxed) > 0 { seen.value += 1 }
          dispatchPrecondition(condition: .onQueue(queue))
          readers.subtract(1, ordering: .relaxed)
        }
        queue.async(flags: .barrier) {
          writers.add(1, ordering: .relaxed)
          if readers.load(ordering: .relaxed) > 0 { seen.value += 1 }
          writers.subtract(1, ordering: .relaxed)
        }
      }
      queue.sync(flags: .barrier) {}
      if seen.value != 0 { throw Wrong(seen.value) }
    },
    "notify": .code {
      let (group, done) = (DispatchGroup(), DispatchSemaphore(value: 0))
      let order = Mutex<[Int]>([])
      for number in 1...2 {
        DispatchQueue.global().async(group: group) { order.withLock { $0.append(number) } }
      }
      group.notify(queue: .global()) {
        order.withLock { $0.append(3) }
        done.signal()
      }
      done.wait()
      let seen = order.withLock { $0 }
      if seen != [1, 2, 3] && seen != [2, 1, 3] { throw Wrong(seen) }
    },
    "targets": .code {
      let target = DispatchQueue(label: "target")
      let group = DispatchGroup()
      let inside = Cell()
      let queues = (1...2).map { DispatchQueue(label: "queue \($0)", target: target) }
      for queue in queues {
        queue.async(group: group) {
          inside.value += 1
          queue.async(group: group) { inside.value += 1 }
          precondition(inside.value <= 4)
        }
      }
      group.wait()
      if inside.value != 4 { throw Wrong(inside.value) }
    },
    "suspended": .code {
      let queue = DispatchQueue(label: "suspended")
      let (done, value) = (DispatchSemaphore(value: 0), Cell())
      queue.suspend()
      queue.async {
        value.value += 1
        done.signal()
      }
      DispatchQueue.global().async {
        if value.value != 0 { value.value = 100 }
        queue.resume()
      }
      done.wait()
      if value.value != 1 { throw Wrong(value.value) }
    },
    "later": .code {
      let done = DispatchSemaphore(value: 0)
      let order = Mutex<[Int]>([])
      for seconds in [20, 10] {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
          order.withLock { $0.append(seconds) }
          done.signal()
        }
      }
      done.wait()
      done.wait()
      let seen = order.withLock { $0 }
      if seen != [10, 20] { throw Wrong(seen) }
    },
    "iterations": .code {
      let count = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in count.add(1, ordering: .relaxed) }
      if count.load(ordering: .relaxed) != 4 { throw Wrong(count.load(ordering: .relaxed)) }
    },
    "operations": .code {
      let queue = OperationQueue()
      let order = Mutex<[Int]>([])
      let first = BlockOperation { order.withLock { $0.append(1) } }
      let second = BlockOperation { order.withLock { $0.append(2) } }
      let never = BlockOperation { order.withLock { $0.append(3) } }
      second.addDependency(first)
      never.addDependency(second)
      never.cancel()
      queue.addOperations([never, second, first], waitUntilFinished: true)
      let seen = order.withLock { $0 }
      if seen != [1, 2] { throw Wrong(seen) }
    },
  ]
}
