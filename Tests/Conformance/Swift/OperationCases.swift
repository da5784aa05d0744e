import CThreadmillConformance
import Foundation

/// What the gate takes over of Foundation's operations.
let operationCases = [
  Case("operation.dependencies", body: dependencies),
  Case("operation.subclass", body: subclass),
  Case("operation.asynchronous", body: asynchronous),
  Case("operation.cancel-asynchronous", body: cancelAsynchronous),
  Case("operation.restart", body: restart),
  Case("operation.wait", body: waits),
  Case("operation.wait-all", body: waitsForAll),
  Case("operation.deaths", body: deaths),
  Case("operation.names", body: names),
  Case("operation.twice", ends: trap, body: twice),
  Case("operation.started-while-queued", ends: trap, body: startedWhileQueued),
  Case("operation.not-ready", ends: trap, body: notReady),
  Case("operation.added-after-its-end", ends: trap, body: addedAfterItsEnd),
]

/// What happened, in order, told from several threads.
private final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [String] = []  // guarded by `lock`

  func append(_ entry: String) { lock.withLock { entries.append(entry) } }
  var all: [String] { lock.withLock { entries } }
}

/// Overrides everything that is taken over, and calls what it overrides. Each of its own variables
/// is constant and has its own lock.
private class Spy: Operation, @unchecked Sendable {
  let seen: Log
  let deaths: Count
  let starts = Count()

  init(_ seen: Log, _ deaths: Count = Count()) {
    self.seen = seen
    self.deaths = deaths
  }

  override func start() {
    seen.append("start")
    super.start()
    seen.append("started")
    starts.increment()
  }
  override func main() { seen.append("main") }
  override func cancel() {
    seen.append("cancel")
    super.cancel()
  }
  override func addDependency(_ operation: Operation) {
    seen.append("add")
    super.addDependency(operation)
  }
  override func removeDependency(_ operation: Operation) {
    seen.append("remove")
    super.removeDependency(operation)
  }
  override func waitUntilFinished() {
    super.waitUntilFinished()
    seen.append("waited")
  }
  deinit { deaths.increment() }
}

private final class Job: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var phase = 0  // guarded by `lock`
  let key: Bool

  init(key: Bool) { self.key = key }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { phase } == 1 }
  override var isFinished: Bool { lock.withLock { phase } == 2 }

  private func become(_ next: Int) {
    willChangeValue(for: \.isExecuting)
    willChangeValue(forKey: "isFinished")
    lock.withLock { phase = next }
    if key {
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    } else {
      didChangeValue(for: \.isExecuting)
      didChangeValue(for: \.isFinished)
    }
  }

  override func start() {
    guard !isCancelled else { return become(2) }
    become(1)
    DispatchQueue.global().async { self.become(2) }
  }
}

private func dependencies() {
  let a = BlockOperation {}
  let b = BlockOperation {}
  let c = Operation()
  b.addDependency(a)
  b.addDependency(a)
  b.addDependency(c)
  expect("two", b.dependencies == [a, c])
  expect("ready", [a.isReady, b.isReady, c.isReady], [true, false, true])
  a.start()
  expect("ready, one over", b.isReady, false)
  c.start()
  expect("ready, both over", b.isReady)
  b.removeDependency(a)
  b.removeDependency(a)
  expect("one", b.dependencies == [c])
  b.start()
  expect("finished", [a, b, c].map(\.isFinished), [true, true, true])
  a.addDependency(b)
  expect("late", a.isFinished)
}

private func subclass() {
  let seen = Log()
  let spy = Spy(seen)
  let other = BlockOperation {}
  spy.addDependency(other)
  other.start()
  spy.removeDependency(other)
  let queue = OperationQueue()
  queue.addOperations([spy], waitUntilFinished: false)
  queue.waitUntilAllOperationsAreFinished()
  // It is finished before its `start` returns.
  spy.starts.await(1)
  spy.cancel()
  expect(
    "order", seen.all.filter { $0 != "waited" },
    ["add", "remove", "start", "main", "started", "cancel"])
  expect("cancelled", spy.isCancelled, false)
}

private func asynchronous() {
  for key in [true, false] {
    let queue = OperationQueue()
    let jobs = (0..<20).map { _ in Job(key: key) }
    for (earlier, later) in zip(jobs, jobs.dropFirst()) { later.addDependency(earlier) }
    queue.addOperations(jobs, waitUntilFinished: true)
    expect("finished", jobs.allSatisfy(\.isFinished))
    queue.waitUntilAllOperationsAreFinished()
    expect("left", queue.operationCount, 0)
  }
}

private func cancelAsynchronous() {
  let queue = OperationQueue()
  queue.isSuspended = true
  let jobs = (0..<20).map { Job(key: $0 % 2 == 0) }
  queue.addOperations(jobs, waitUntilFinished: false)
  queue.cancelAllOperations()
  expect("finished, suspended", jobs.contains(where: \.isFinished), false)
  queue.isSuspended = false
  queue.waitUntilAllOperationsAreFinished()
  expect("finished", jobs.allSatisfy(\.isFinished))
}

private func restart() {
  let ran = Count()
  let operation = BlockOperation { ran.increment() }
  operation.start()
  operation.start()
  expect("ran", ran.value, 1)
}

private func waits() {
  let queue = OperationQueue()
  let gate = DispatchSemaphore(value: 0)
  let slow = BlockOperation { gate.wait() }
  queue.addOperation(slow)
  expect("finished, before", slow.isFinished, false)
  gate.signal()
  slow.waitUntilFinished()
  expect("finished", slow.isFinished)
  slow.waitUntilFinished()
  let outer = BlockOperation { queue.addOperations([BlockOperation {}], waitUntilFinished: true) }
  outer.start()
  expect("outer", outer.isFinished)
}

private func waitsForAll() {
  let queue = OperationQueue()
  let ran = Count()
  for _ in 0..<20 { queue.addOperation { ran.increment() } }
  queue.addOperations([], waitUntilFinished: true)
  queue.waitUntilAllOperationsAreFinished()
  queue.waitUntilAllOperationsAreFinished()
  expect("ran", ran.value, 20)
}

private func deaths() {
  let deaths = Count()
  for _ in 0..<50 {
    let seen = Log()
    let first = Spy(seen, deaths)
    let second = Spy(seen, deaths)
    let block = BlockOperation {}
    second.addDependency(first)
    block.addDependency(second)
    first.removeDependency(second)
  }
  expect("deaths", deaths.value, 100)
}

private func names() {
  let operation = BlockOperation {}
  let queue = OperationQueue()
  expect("none", operation.name ?? "-", "-")
  operation.name = "a name that is longer than fifteen bytes"
  queue.name = "queue"
  queue.addOperation(operation)
  operation.waitUntilFinished()
  expect("name", operation.name ?? "-", "a name that is longer than fifteen bytes")
  expect("queue", queue.name ?? "-", "queue")
}

private func twice() {
  let operation = BlockOperation {}
  operation.addExecutionBlock { operation.start() }
  operation.start()
}

private func startedWhileQueued() {
  let queue = OperationQueue()
  let operation = BlockOperation {}
  queue.isSuspended = true
  queue.addOperation(operation)
  operation.start()
}

private func notReady() {
  let first = BlockOperation {}
  let second = BlockOperation {}
  second.addDependency(first)
  second.start()
}

private func addedAfterItsEnd() {
  let operation = BlockOperation {}
  operation.start()
  OperationQueue().addOperations([operation], waitUntilFinished: true)
}
