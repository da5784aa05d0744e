import Foundation
import Synchronization

extension Bodies {
  static let tasks: [String: Body] = [
    "reentrancy": .task {
      let account = Account()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { await account.withdraw(60) } }
      }
      if await account.balance < 0 { throw Wrong(await account.balance) }
    },
    "reentrancy-repaired": .task {
      let account = Account()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { await account.withdrawAtOnce(60) } }
      }
      if await account.balance < 0 { throw Wrong(await account.balance) }
    },
    // The task asks for what its starter sets in the next statement.
    "started-too-early": .task {
      let answer = Answer()
      let task = Task { answer.value.load(ordering: .acquiring) }
      answer.value.store(42, ordering: .releasing)
      if await task.value == 0 { throw Wrong("no answer yet") }
    },
    "started-too-early-repaired": .task {
      let answer = Answer()
      answer.value.store(42, ordering: .releasing)
      let task = Task { answer.value.load(ordering: .acquiring) }
      if await task.value == 0 { throw Wrong("no answer yet") }
    },
    "stream": .task {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      async let sum = stream.reduce(0, +)
      async let sent: Void = {
        for number in 1...3 { continuation.yield(number) }
        continuation.finish()
      }()
      await sent
      if await sum != 6 { throw Wrong(await sum) }
    },
    "cancelled-group": .task {
      let count = Mutex(0)
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<2 { group.addTask { (try? await Task.sleep(for: .seconds(3_600))) != nil } }
        group.cancelAll()
        for await slept in group where !slept { count.withLock { $0 += 1 } }
      }
      if count.withLock({ $0 }) != 2 { throw Wrong(count.withLock { $0 }) }
    },
    "sleeping": .task {
      let clock = ContinuousClock()
      let began = clock.now
      async let first: Void = Task.sleep(for: .seconds(50))
      async let second: Void = Task.sleep(for: .seconds(20))
      _ = try await (first, second)
      let passed = clock.now - began
      if passed < .seconds(50) || passed > .seconds(51) { throw Wrong(passed) }
    },
    // A loop that yields until another task has made many steps.
    "task-spin": .task {
      let (isDone, lock) = (Mark(), NSLock())
      async let other: Void = {
        for _ in 0..<10 { lock.withLock {} }
        isDone.set()
      }()
      while !isDone.isSet { await Task.yield() }
      await other
    },
    // Time has to pass while the loop yields, also if it does more than that.
    "task-spin-for-sleeper": .task {
      let (isDone, end) = (Mark(), Ending())
      async let first: Void = {
        try? await Task.sleep(for: .seconds(5))
        isDone.set()
      }()
      while !isDone.isSet { await Task.yield() }
      await first
      async let second: Void = {
        try? await Task.sleep(for: .seconds(90))
        await end.come()
      }()
      while await !end.hasCome { await Task.yield() }
      await second
    },
    // A few yields take no time: a limit that is far away is not reached.
    "task-yields-beside-limit": .task {
      let reached = Mark()
      let limit = Task {
        do { try await Task.sleep(for: .seconds(10)) } catch { return }
        reached.set()
      }
      for _ in 0..<20 { await Task.yield() }
      limit.cancel()
      await limit.value
      if reached.isSet { throw Wrong("ten seconds have passed") }
    },
    "main-actor": .task {
      let counter = Counter()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { await counter.increment() } }
      }
      if await counter.value != 2 { throw Wrong(await counter.value) }
    },
  ]
}

private final class Mark: Sendable {
  private let mark = Atomic(false)
  var isSet: Bool { mark.load(ordering: .acquiring) }
  func set() { mark.store(true, ordering: .releasing) }
}

private actor Ending {
  private(set) var hasCome = false
  func come() { hasCome = true }
}

private actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }

  func withdrawAtOnce(_ amount: Int) async {
    await Task.yield()
    if balance >= amount { balance -= amount }
  }
}

@MainActor private final class Counter {
  private(set) var value = 0
  func increment() {
    MainActor.preconditionIsolated()
    value += 1
  }
}

private final class Answer: Sendable {
  let value = Atomic(0)
}
