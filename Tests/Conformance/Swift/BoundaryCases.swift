import CThreadmillConformance
import Dispatch
import Foundation
import Synchronization

/// Cases in which Swift concurrency meets threads and queues, and how an asynchronous `main` ends.
let boundaryCases = [
  AsyncCase("boundary.continuation-from-queue", body: continuationFromQueue),
  AsyncCase("boundary.continuation-from-thread", body: continuationFromThread),
  AsyncCase("boundary.continuation-at-once", body: continuationAtOnce),
  AsyncCase("boundary.continuation-throws", body: continuationThrows),
  AsyncCase("boundary.main-actor", body: mainActor),
  AsyncCase("boundary.main-queue", body: mainQueue),
  AsyncCase("boundary.blocking-thread", body: blockingThread),
  AsyncCase("boundary.locks-in-tasks", body: locksInTasks),
  AsyncCase("boundary.handler-locks", body: handlerLocks),
  AsyncCase("boundary.exit", ends: 51, body: exitFromTask),
  AsyncCase("boundary.exit-elsewhere", ends: 52, body: exitFromQueue),
  AsyncCase("boundary.trap", ends: trap, body: trapInTask),
]

private func continuationFromQueue() async {
  let queue = DispatchQueue(label: "serial")
  var total = 0
  for index in 0..<300 {
    total += await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: index) }
    }
  }
  expect("total", total, 44_850)
}

private func continuationFromThread() async {
  var total = 0
  for index in 0..<50 {
    total += await withUnsafeContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: index) }
    }
  }
  expect("total", total, 1_225)
}

private func continuationAtOnce() async {
  var total = 0
  for index in 0..<300 {
    total += await withCheckedContinuation { $0.resume(returning: index) }
  }
  expect("total", total, 44_850)
}

private func continuationThrows() async {
  do {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, _>) in
      DispatchQueue.global().async { continuation.resume(throwing: Failure(code: 2)) }
    }
    expect("thrown", false)
  } catch {
    expect("error", error as? Failure, Failure(code: 2))
  }
}

/// Whether the main queue is the current one. It need not be the main thread: on Linux an
/// asynchronous `main` gives that thread up, and the main queue runs on any other.
private func onMainQueue() -> Bool {
  dispatchPrecondition(condition: .onQueue(.main))
  return true
}

private func mainActor() async {
  expect("main actor", await MainActor.run { onMainQueue() })
  expect("from a task", await Task.detached { await MainActor.run { onMainQueue() } }.value)
  expect("main thread", await MainActor.run { Thread.isMainThread }, false)
}

private func mainQueue() async {
  let onMain = await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume(returning: onMainQueue()) }
  }
  expect("main queue", onMain)
  let answer = await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(returning: DispatchQueue.main.sync { onMainQueue() ? 42 : 0 })
    }
  }
  expect("main queue, sync", answer, 42)
}

/// A thread that blocks until a task signals.
private func blockingThread() async {
  let woken = await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let done = DispatchSemaphore(value: 0)
      Task {
        await Task.yield()
        done.signal()
      }
      done.wait()
      continuation.resume(returning: true)
    }
  }
  expect("woken", woken)
}

private final class Shared: Sendable {
  let count = Mutex(0)
  let lock = NSLock()
  let plain = Box(0)

  func addToBoth() {
    count.withLock { $0 += 1 }
    lock.withLock { plain.value += 1 }
  }
}

private func locksInTasks() async {
  let shared = Shared()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<8 {
      group.addTask { for _ in 0..<1_000 { shared.addToBoth() } }
    }
  }
  expect("mutex", shared.count.withLock { $0 }, 8_000)
  expect("lock", shared.lock.withLock { shared.plain.value }, 8_000)
}

/// The cancellation handler takes a lock that the cancelling side does not hold.
///
/// Each task waits for its handler, and not for `isCancelled`: the runtime sets that first, and
/// drops the handler of a task that ends before the handler's turn.
private func handlerLocks() async {
  let shared = Shared()
  let tasks = (0..<50).map { index in
    Task {
      await withTaskCancellationHandler {
        while shared.lock.withLock({ shared.plain.value & 1 << index == 0 }) { await Task.yield() }
      } onCancel: {
        shared.lock.withLock { shared.plain.value |= 1 << index }
      }
    }
  }
  for task in tasks { task.cancel() }
  for task in tasks { await task.value }
  expect("handled", shared.lock.withLock { shared.plain.value.nonzeroBitCount }, 50)
}

private func exitFromTask() async {
  await Task.yield()
  exit(51)
}

private func exitFromQueue() async {
  DispatchQueue.global().async { exit(52) }
  try? await Task.sleep(for: .seconds(3_600))
}

private func trapInTask() async {
  await Task { precondition(CommandLine.argc == 0, "on purpose") }.value
}
