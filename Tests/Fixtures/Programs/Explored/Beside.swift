import Dispatch
import Foundation
import Synchronization
import Threadmill

/// What goes on in the same process and is none of the exploration's business.
enum Beside {
  /// Explores while others work with real time, and says how that went.
  static func run() throws {
    let others = Others()
    others.start()
    var failures = 0
    for name in ["opposite-locks-repaired", "lost-wakeup-repaired", "reentrancy-repaired", "later"]
    {
      guard let body = Bodies.all[name] else { throw Wrong(name) }
      let result = try body.explored(schedules: 200, strategy: .randomWalk, seed: 1)
      failures += result.failure == nil ? 0 : 1
    }
    // What waits for ever stays, and is in nobody's way.
    let stuck = try Bodies.all["lost-wakeup"]?.explored(schedules: 50, strategy: .pos, seed: 1)
    let wrong = others.stop()
    say("failures", failures)
    say("waiting", stuck?.failure == nil ? 0 : 1)
    say("wrong", wrong.isEmpty ? "nothing" : wrong.joined(separator: ", "))
  }

  /// Explores what goes wrong until the process says that it is enough; what was found before that
  /// is not lost.
  static func park() throws {
    guard let body = Bodies.all["lost-wakeup"] else { throw Wrong("no such case") }
    var (explorations, found) = (0, 0)
    defer {
      say("explorations", explorations)
      say("found", found)
    }
    for _ in 0..<1_000 {
      let result = try body.explored(schedules: 100, strategy: .randomWalk, seed: 1)
      explorations += 1
      found += result.failure == nil ? 0 : 1
    }
  }
}

/// Threads, queues and tasks that do a round of their work again and again.
private final class Others: Sendable {
  private let isOver = Atomic(false)
  private let wrong = Mutex<[String]>([])
  private let ended = DispatchGroup()

  func start() {
    let shared = NSCondition()
    let turns = Cell()
    for parity in 0..<2 {
      onThread("condition") {
        shared.lock()
        while turns.value % 2 != parity { shared.wait() }
        turns.value += 1
        shared.broadcast()
        shared.unlock()
        return true
      }
    }
    onThread("sleep") {
      let began = ContinuousClock.now
      usleep(2_000)
      return ContinuousClock.now - began >= .milliseconds(2)
    }
    onThread("processors") {
      let counted = Mutex(0)
      let here = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        counted.withLock { $0 = ProcessInfo.processInfo.activeProcessorCount }
        here.signal()
      }
      here.wait()
      return counted.withLock { $0 } == ProcessInfo.processInfo.processorCount
    }
    onThread("queue") {
      let (queue, group, sum) = (DispatchQueue(label: "others"), DispatchGroup(), Cell())
      let add: @Sendable () -> Void = { queue.sync { sum.value += 1 } }
      for _ in 0..<10 { DispatchQueue.global().async(group: group) { add() } }
      return group.wait(timeout: .now() + 60) == .success && sum.value == 10
    }
    onThread("after") {
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { done.signal() }
      return done.wait(timeout: .now() + 60) == .success
    }
    onThread("task") {
      let done = DispatchSemaphore(value: 0)
      let sum = Mutex(0)
      Task {
        try? await Task.sleep(for: .milliseconds(1))
        let parts = await Self.sumOfParts()
        sum.withLock { $0 = parts }
        done.signal()
      }
      return done.wait(timeout: .now() + 60) == .success && sum.withLock { $0 } == 10
    }
  }

  private static func sumOfParts() async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for number in 1...4 { group.addTask { number } }
      return await group.reduce(0, +)
    }
  }

  /// Returns what went wrong.
  func stop() -> [String] {
    isOver.store(true, ordering: .releasing)
    ended.wait()
    return wrong.withLock { $0 }
  }

  private func note(_ name: String) { wrong.withLock { $0.append(name) } }

  private func onThread(_ name: String, _ round: @escaping @Sendable () -> Bool) {
    ended.enter()
    Thread.detachNewThread { [self] in
      var rounds = 0
      // The condition's two threads end together, each after its turn.
      while rounds < 2_000 && (name == "condition" || !isOver.load(ordering: .acquiring)) {
        rounds += 1
        if !round() {
          note(name)
          break
        }
      }
      ended.leave()
    }
  }
}
