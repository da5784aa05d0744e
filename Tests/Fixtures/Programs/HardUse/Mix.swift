import Dispatch
import Foundation
import Synchronization

/// Runs this many small jobs, each of another kind than the one before; returns how many came out
/// right.
@Sendable func mix(_ number: Int) -> Int {
  let right = Tally()
  let places = DispatchSemaphore(value: 8)
  let group = DispatchGroup()
  for index in 0..<number {
    places.wait()
    group.enter()
    Task {
      let done = await Job.all[index % Job.all.count]()
      if done { right.add(1) }
      places.signal()
      group.leave()
    }
  }
  group.wait()
  return right.value
}

private enum Job {
  static let all: [@Sendable () async -> Bool] = [
    timer, source, groups, stream, taskGroup, actors, conditions, cancelled, performing, threads,
    operation, continuations,
  ]

  /// Runs what blocks on a thread of Dispatch, not of the pool.
  private static func aside(_ body: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
  }

  @Sendable private static func timer() async -> Bool {
    await withCheckedContinuation { continuation in
      let queue = DispatchQueue(label: "timer")
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let ticks = Guarded()
      timer.schedule(deadline: .now(), repeating: .milliseconds(1))
      timer.setEventHandler {
        if ticks.add(1) == 3 { timer.cancel() }
      }
      timer.setCancelHandler { continuation.resume(returning: ticks.add(0) >= 3) }
      timer.resume()
    }
  }

  @Sendable private static func source() async -> Bool {
    await withCheckedContinuation { continuation in
      let source = DispatchSource.makeUserDataAddSource(queue: .global())
      let sum = Guarded()
      source.setEventHandler {
        if sum.add(source.data) == 10 { source.cancel() }
      }
      source.setCancelHandler { continuation.resume(returning: sum.add(0) == 10) }
      source.resume()
      for _ in 0..<10 { source.add(data: 1) }
    }
  }

  @Sendable private static func groups() async -> Bool {
    await withCheckedContinuation { continuation in
      let (group, lock, queue) = (DispatchGroup(), NSLock(), DispatchQueue(label: "told"))
      let count = Counter()
      let step: @Sendable () -> Void = { lock.withLock { count.value += 1 } }
      for _ in 0..<10 { DispatchQueue.global().async(group: group, execute: step) }
      group.notify(queue: queue) { continuation.resume(returning: count.value == 10) }
    }
  }

  @Sendable private static func stream() async -> Bool {
    let (stream, input) = AsyncStream<Int>.makeStream(bufferingPolicy: .unbounded)
    let producer = Task {
      for number in 0..<20 {
        input.yield(number)
        if number % 5 == 0 { await Task.yield() }
      }
      input.finish()
    }
    var sum = 0
    for await number in stream { sum += number }
    await producer.value
    return sum == 190
  }

  @Sendable private static func taskGroup() async -> Bool {
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          await Task.yield()
          return number
        }
      }
      return await group.reduce(0, +)
    }
    async let more = sum + 1
    return await more == 191
  }

  @Sendable private static func actors() async -> Bool {
    let (one, other) = (Account(), Account())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<5 {
        group.addTask { await one.pay(other) }
        group.addTask { await other.pay(one) }
      }
    }
    return await one.balance + other.balance == 0
  }

  @Sendable private static func conditions() async -> Bool {
    await aside {
      let (condition, box) = (NSCondition(), Counter())
      DispatchQueue.global().async {
        condition.lock()
        box.value = 1
        condition.signal()
        condition.unlock()
      }
      condition.lock()
      while box.value == 0 { condition.wait() }
      condition.unlock()
      return box.value == 1
    }
  }

  @Sendable private static func cancelled() async -> Bool {
    let sleeper = Task { try await Task.sleep(for: .seconds(600)) }
    sleeper.cancel()
    let waiter = Task {
      await withTaskCancellationHandler {
        await withCheckedContinuation { $0.resume() }
        return Task.isCancelled
      } onCancel: {
        sleeper.cancel()
      }
    }
    waiter.cancel()
    _ = await waiter.value
    return await sleeper.result.isFailure
  }

  @Sendable private static func performing() async -> Bool {
    await aside {
      let sum = Tally()
      DispatchQueue.concurrentPerform(iterations: 16) { sum.add($0) }
      return sum.value == 120
    }
  }

  @Sendable private static func threads() async -> Bool {
    await aside {
      let (done, lock, count) = (DispatchSemaphore(value: 0), NSRecursiveLock(), Counter())
      let job: @Sendable () -> Void = {
        lock.lock()
        lock.withLock { count.value += 1 }
        lock.unlock()
        done.signal()
      }
      for _ in 0..<2 { Thread.detachNewThread(job) }
      for _ in 0..<2 { done.wait() }
      return lock.withLock { count.value } == 2
    }
  }

  @Sendable private static func operation() async -> Bool {
    await withCheckedContinuation { continuation in
      let queue = OperationQueue()
      let count = Tally()
      let first = BlockOperation { count.add(1) }
      first.addExecutionBlock { count.add(1) }
      let last = BlockOperation { continuation.resume(returning: count.value == 2) }
      last.addDependency(first)
      queue.addOperations([first, last], waitUntilFinished: false)
    }
  }

  @Sendable private static func continuations() async -> Bool {
    var sum = 0
    for number in 0..<10 {
      sum += await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(number * 50)) {
          continuation.resume(returning: number)
        }
      }
    }
    return sum == 45
  }
}

/// A number that everybody may add to.
final class Tally: Sendable {
  private let number = Atomic(0)
  var value: Int { number.load(ordering: .sequentiallyConsistent) }
  func add(_ more: Int) { number.add(more, ordering: .sequentiallyConsistent) }
}

/// A number behind a mutex.
private final class Guarded: Sendable {
  private let number = Mutex(UInt(0))

  func add(_ more: UInt) -> UInt {
    number.withLock { number in
      number += more
      return number
    }
  }
}

/// Guarded by whoever uses it.
private final class Counter: @unchecked Sendable {
  var value = 0
}

private actor Account {
  private(set) var balance = 0

  func pay(_ other: Account) async {
    balance -= 1
    await other.receive()
  }

  func receive() { balance += 1 }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
