import Foundation

/// All threads for tasks are blocked while tasks wait for one, until a thread that belongs to no
/// pool sets them free; then one task sleeps.
@Sendable func relievePool() {
  let tasks = 2 * ProcessInfo.processInfo.activeProcessorCount
  let relief = DispatchSemaphore(value: 0)
  let everybody = DispatchGroup()
  for _ in 0..<tasks {
    everybody.enter()
    Task.detached {
      standInLine(relief)
      everybody.leave()
    }
  }
  Thread.detachNewThread {
    Thread.sleep(forTimeInterval: 2)
    for _ in 0..<tasks { relief.signal() }
  }
  everybody.wait()
  everybody.enter()
  Task.detached {
    doze()
    everybody.leave()
  }
  everybody.wait()
}

private func standInLine(_ relief: DispatchSemaphore) { relief.wait() }

private func doze() { Thread.sleep(forTimeInterval: 0.2) }
