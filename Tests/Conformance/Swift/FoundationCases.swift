import CThreadmillConformance
import Foundation

/// Threads, operations and processes of Foundation.
let foundationCases = [
  Case("foundation.thread-properties", body: threadProperties),
  Case("foundation.thread-block", body: threadBlock),
  Case("foundation.thread-sleep", body: threadSleep),
  Case("foundation.operations", body: operations),
  Case("foundation.operation-order", body: operationOrder),
  Case("foundation.operation-cancel", body: operationCancel),
  Case("foundation.operation-barrier", body: operationBarrier),
  Case("foundation.operation-lifetime", body: operationLifetime),
  Case("foundation.process", body: process),
  Case("foundation.notification", body: notification),
]

/// Only blocks: this toolchain cannot compile a subclass of `Thread` on Linux.
private func threadProperties() {
  let done = DispatchSemaphore(value: 0)
  let seen = Box<[String]>([])
  let thread = Thread {
    let own = Thread.current
    seen.value = ["\(own.isExecuting)", "\(own.isMainThread)", "\(own.stackSize)"]
    done.signal()
  }
  thread.stackSize = 1 << 20
  expect("before", thread.isExecuting || thread.isFinished, false)
  thread.start()
  done.wait()
  expect("seen", seen.value, ["true", "false", "\(1 << 20)"])
  while !thread.isFinished { conformance_yield() }
  expect("after", thread.isExecuting, false)
}

private func threadBlock() {
  let finished = Count()
  let threads = (0..<50).map { index in
    Thread {
      Thread.current.threadDictionary["index"] = index
      if Thread.current.threadDictionary["index"] as? Int == index { finished.increment() }
    }
  }
  for thread in threads { thread.start() }
  finished.await(50)
  expect("finished", finished.value, 50)
}

private func threadSleep() {
  let deadline = Date(timeIntervalSinceNow: 0.005)
  Thread.sleep(until: deadline)
  expect("until", Date() >= deadline)
  let start = DispatchTime.now()
  Thread.sleep(forTimeInterval: 0.005)
  expect("for", DispatchTime.now() >= start + .milliseconds(5))
}

private func operations() {
  let queue = OperationQueue()
  let ran = Count()
  let completed = Count()
  for _ in 0..<100 {
    let operation = BlockOperation { ran.increment() }
    operation.completionBlock = { completed.increment() }
    queue.addOperation(operation)
  }
  queue.waitUntilAllOperationsAreFinished()
  expect("ran", ran.value, 100)
  expect("count", queue.operationCount, 0)
  completed.await(100)
  expect("completed", completed.value, 100)
}

private func operationOrder() {
  let queue = OperationQueue()
  let order = Box<[Int]>([])
  let lock = NSLock()
  let steps = (0..<20).map { index in
    BlockOperation { lock.withLock { order.value.append(index) } }
  }
  for (before, after) in zip(steps, steps.dropFirst()) { after.addDependency(before) }
  queue.addOperations(steps.reversed(), waitUntilFinished: true)
  expect("by dependency", order.value, Array(0..<20))
  let serial = OperationQueue()
  serial.maxConcurrentOperationCount = 1
  order.value = []
  for index in 0..<20 { serial.addOperation { lock.withLock { order.value.append(index) } } }
  serial.waitUntilAllOperationsAreFinished()
  expect("one at a time", order.value, Array(0..<20))
}

private func operationCancel() {
  let queue = OperationQueue()
  let ran = Count()
  queue.isSuspended = true
  let operation = BlockOperation { ran.increment() }
  queue.addOperation(operation)
  operation.cancel()
  queue.isSuspended = false
  queue.waitUntilAllOperationsAreFinished()
  expect("ran", ran.value, 0)
  expect("cancelled", operation.isCancelled)
  expect("finished", operation.isFinished)
}

private func operationBarrier() {
  let queue = OperationQueue()
  let before = Count()
  let early = Count()
  let passed = Count()
  for _ in 0..<50 { queue.addOperation { before.increment() } }
  queue.addBarrierBlock {
    if before.value != 50 { early.increment() }
    passed.increment()
  }
  queue.waitUntilAllOperationsAreFinished()
  // Foundation does not promise to wait for a barrier as for an operation.
  passed.await(1)
  expect("early", early.value, 0)
  expect("passed", passed.value, 1)
}

private func operationLifetime() {
  let deaths = Count()
  let queue = OperationQueue()
  for _ in 0..<100 {
    let mortal = Mortal(deaths)
    queue.addOperation { [mortal] in mortal.touch() }
  }
  queue.waitUntilAllOperationsAreFinished()
  deaths.await(100)
  expect("deaths", deaths.value, 100)
}

private func process() {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", "echo hello; exit 9"]
  process.standardOutput = pipe
  do {
    try process.run()
  } catch {
    expect("run", "\(error)", "no error")
  }
  let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
  process.waitUntilExit()
  expect("output", String(decoding: data, as: UTF8.self) == "hello\n")
  expect("status", process.terminationStatus, 9)
}

private func notification() {
  let name = Notification.Name("conformance")
  let seen = Count()
  let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
    seen.increment()
  }
  DispatchQueue.concurrentPerform(iterations: 20) { _ in
    NotificationCenter.default.post(name: name, object: nil)
  }
  expect("seen", seen.value, 20)
  NotificationCenter.default.removeObserver(token)
  NotificationCenter.default.post(name: name, object: nil)
  expect("seen, removed", seen.value, 20)
}
