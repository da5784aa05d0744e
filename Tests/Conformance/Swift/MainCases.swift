import CThreadmillConformance
import Dispatch
import Foundation

/// The main queue and the main run loop, each of which ends its process by itself.
let mainCases = [
  Case("swift-main.dispatch-main", ends: 41, body: exitFromMainQueue),
  Case("swift-main.run-loop", ends: 42, body: mainQueueOnRunLoop),
  Case("swift-main.sync", ends: 43, body: syncToMain),
  Case("swift-main.timer", body: runLoopTimer),
  Case("swift-main.perform", body: runLoopPerform),
  Case("swift-main.exit-elsewhere", ends: 44, body: exitElsewhere),
  Case("swift-main.exit-beside-work", ends: 45, body: exitBesideWork),
]

/// Ends the process with `status` if all its facts were right.
private func finish(_ status: Int32) -> Never {
  exit(conformance_failures() == 0 ? status : 1)
}

private func exitFromMainQueue() {
  DispatchQueue.main.async {
    dispatchPrecondition(condition: .onQueue(.main))
    finish(41)
  }
  dispatchMain()
}

private func mainQueueOnRunLoop() {
  DispatchQueue.global().async {
    expect("worker on main thread", Thread.isMainThread, false)
    DispatchQueue.main.async {
      expect("main thread", Thread.isMainThread)
      dispatchPrecondition(condition: .onQueue(.main))
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) { finish(42) }
    }
  }
  RunLoop.main.run()
}

private func syncToMain() {
  Thread.detachNewThread {
    let answer = DispatchQueue.main.sync {
      expect("main thread", Thread.isMainThread)
      return 6 * 7
    }
    expect("answer", answer, 42)
    expect("other thread", Thread.isMainThread, false)
    finish(43)
  }
  RunLoop.main.run()
}

private func runLoopTimer() {
  let ticks = Count()
  let timer = Timer(timeInterval: 0.001, repeats: true) { timer in
    if ticks.increment() == 3 { timer.invalidate() }
  }
  RunLoop.current.add(timer, forMode: .default)
  while timer.isValid { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
  expect("ticks", ticks.value, 3)
}

private func runLoopPerform() {
  let ran = Count()
  RunLoop.current.perform { ran.increment() }
  DispatchQueue.main.async { ran.increment() }
  while ran.value < 2 { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
  expect("ran", ran.value, 2)
}

private func exitElsewhere() {
  let lock = NSLock()
  lock.lock()
  DispatchQueue.global().async { finish(44) }
  lock.lock()
}

private enum Local {
  @TaskLocal static var value = 0
}

private actor Counter {
  private var count = 0
  func increment() { count += 1 }
}

/// Threads and tasks go on until the process is gone, in the midst of whatever they do.
private func exitBesideWork() {
  let (lock, queue, counter) = (NSRecursiveLock(), DispatchQueue(label: "work"), Counter())
  let works: [@Sendable () -> Void] = [
    { lock.withLock { lock.withLock {} } },
    { queue.sync(flags: .barrier) { lock.withLock {} } },
    { DispatchQueue.concurrentPerform(iterations: 3) { _ in lock.withLock {} } },
    { OperationQueue().addOperations([BlockOperation()], waitUntilFinished: true) },
  ]
  let asynchronousWorks: [@Sendable () async -> Void] = [
    { await Local.$value.withValue(1) { await counter.increment() } },
    { await withTaskGroup(of: Void.self) { $0.addTask { await counter.increment() } } },
    {
      await withTaskCancellationHandler {
        await withCheckedContinuation { next in queue.async { next.resume() } }
      } onCancel: {
      }
    },
  ]
  let begun = Count()
  for work in works {
    Thread.detachNewThread {
      work()
      begun.increment()
      while true { work() }
    }
  }
  for work in asynchronousWorks {
    Task.detached {
      await work()
      begun.increment()
      while true { await work() }
    }
  }
  begun.await(works.count + asynchronousWorks.count)
  finish(45)
}
