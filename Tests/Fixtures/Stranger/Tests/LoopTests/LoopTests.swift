import Synchronization
import XCTest

/// Goes on until its reader is cancelled.
private struct Endless: AsyncSequence {
  struct AsyncIterator: AsyncIteratorProtocol {
    func next() async -> Int? { Task.isCancelled ? nil : 1 }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}

/// A thread or task loops until another one ends that.
final class LoopTests: XCTestCase {
  func testReadsUntilCancelled() async {
    let began = expectation(description: "began")
    let ended = expectation(description: "ended")
    let task = Task {
      var isFirst = true
      for await _ in Endless() {
        if isFirst { began.fulfill() }
        isFirst = false
        // On one core there may be no other thread for tasks.
        await Task.yield()
      }
      ended.fulfill()
    }
    await fulfillment(of: [began], timeout: 5)
    task.cancel()
    await fulfillment(of: [ended], timeout: 5)
  }

  func testTakesTheLockAgainAndAgain() {
    let isOver = Mutex(false)
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { while !isOver.withLock({ $0 }) {} }
    isOver.withLock { $0 = true }
    group.wait()
  }

  /// No step of this loop is under control in an ordinary build.
  func testSpins() {
    let isOver = Atomic(false)
    let (group, began) = (DispatchGroup(), DispatchSemaphore(value: 0))
    DispatchQueue.global().async(group: group) {
      began.signal()
      while !isOver.load(ordering: .acquiring) {}
    }
    began.wait()
    isOver.store(true, ordering: .releasing)
    group.wait()
  }
}

private final class Order: Sendable {
  let all = Mutex<[Int]>([])

  func add(_ one: Int) { all.withLock { $0.append(one) } }
}

final class LongTests: XCTestCase {
  /// There are some 10,000 steps in each order, and too many if the first task begins first.
  func testDoesMoreInSomeOrders() async {
    let order = Order()
    async let one: Void = order.add(1)
    async let two: Void = order.add(2)
    _ = await (one, two)
    let isLong = order.all.withLock { $0 } == [1, 2]
    let counter = Mutex(0)
    for _ in 0..<(isLong ? 60_000 : 5_000) { counter.withLock { $0 += 1 } }
  }
}
