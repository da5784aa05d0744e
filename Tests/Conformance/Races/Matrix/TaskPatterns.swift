import Dispatch
import Foundation

let taskPatterns: [Pattern] = [
  .tasks("task-create", "Task.init") { trial in
    if trial.isCorrect { trial.write() }
    let task = Task {
      trial.write()
      trial.end()
    }
    if !trial.isCorrect { trial.write() }
    trial.wait()
    await task.value
  },

  .tasks("task-detached", "Task.detached") { trial in
    if trial.isCorrect { trial.write() }
    let task = Task.detached {
      trial.write()
      trial.end()
    }
    if !trial.isCorrect { trial.write() }
    trial.wait()
    await task.value
  },

  .tasks("task-value", "Task.value") { trial in
    let task = Task { trial.write() }
    if trial.isCorrect { await task.value }
    trial.write()
    await task.value
  },

  .tasks("task-result-late", "Task.value of a task that is over") { trial in
    let over = Flag()
    let task = Task {
      if !trial.isCorrect { over.raise() }
      trial.write()
      over.raise()
    }
    over.wait()
    if trial.isCorrect { await task.value }
    trial.write()
    await task.value
  },

  .tasks("task-throwing-value", "Task.value that throws") { trial in
    let task = Task {
      trial.write()
      throw CancellationError()
    }
    if trial.isCorrect { _ = try? await task.value }
    trial.write()
    _ = await task.result
  },

  .tasks("async-let", "async let") { trial in
    async let child: Void = trial.write()
    if trial.isCorrect { await child }
    trial.write()
    await child
  },

  .tasks("task-group-wait", "withTaskGroup") { trial in
    await withTaskGroup(of: Void.self) { group in
      group.addTask { trial.write() }
      if !trial.isCorrect { trial.write() }
    }
    if trial.isCorrect { trial.write() }
  },

  .tasks("task-group-next", "TaskGroup.next") { trial in
    await withTaskGroup(of: Int.self) { group in
      group.addTask {
        trial.write()
        return 1
      }
      if trial.isCorrect { _ = await group.next() }
      trial.write()
      _ = await group.next()
    }
  },

  .tasks("task-group-add", "TaskGroup.addTask") { trial in
    await withTaskGroup(of: Void.self) { group in
      if trial.isCorrect { trial.write() }
      group.addTask { trial.write() }
      if !trial.isCorrect { trial.write() }
    }
  },

  .tasks("discarding-task-group", "withDiscardingTaskGroup") { trial in
    await withDiscardingTaskGroup { group in
      group.addTask { trial.write() }
      if !trial.isCorrect { trial.write() }
    }
    if trial.isCorrect { trial.write() }
  },

  .tasks("throwing-task-group", "withThrowingTaskGroup, first error") { trial in
    _ = try? await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        trial.write()
        throw CancellationError()
      }
      if !trial.isCorrect { trial.write() }
      try await group.next()
    }
    if trial.isCorrect { trial.write() }
  },

  .tasks("task-local", "TaskLocal.withValue") { trial in
    let cell = Cell()
    if trial.isCorrect { cell.store(1) }
    await Local.$trial.withValue(trial) {
      let task = Task {
        if trial.isCorrect { cell.read() } else { Local.trial?.write() }
      }
      if !trial.isCorrect { trial.write() }
      await task.value
    }
    if trial.isCorrect { cell.store(2) }
  },

  .tasks("cancellation-handler", "withTaskCancellationHandler, cancel()") { trial in
    let task = Task {
      await withTaskCancellationHandler {
        trial.wait()
      } onCancel: {
        trial.write()
        trial.end()
      }
    }
    let other = Flag()
    Thread.detachNewThread {
      if trial.isCorrect { trial.write() }
      if !trial.isCorrect { other.wait() }
      task.cancel()
      other.raise()
    }
    if !trial.isCorrect {
      other.raise()
      trial.write()
    }
    await task.value
  },

  .tasks("cancellation-handler-late", "withTaskCancellationHandler, cancelled before") { trial in
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await withTaskCancellationHandler {
      } onCancel: {
        trial.write()
        trial.end()
      }
    }
    if trial.isCorrect { trial.write() }
    task.cancel()
    if !trial.isCorrect { trial.write() }
    await task.value
  }.needing(.gate),

  .tasks("task-sleep", "Task.sleep") { trial in
    if trial.isCorrect { trial.write() }
    let task = Task {
      try? await Task.sleep(nanoseconds: 100_000)
      trial.write()
    }
    if !trial.isCorrect { trial.write() }
    await task.value
    if trial.isCorrect { trial.write() }
  },

  .tasks("task-yield", "Task.yield") { trial in
    let task = Task {
      for _ in 0..<(trial.isCorrect ? 10 : 1) {
        trial.write()
        await Task.yield()
      }
    }
    if trial.isCorrect { await task.value }
    trial.write()
    await task.value
  },

  .tasks("task-executor", "a TaskExecutor of one's own") { trial in
    let executor = QueueExecutor()
    if trial.isCorrect { trial.write() }
    let task = Task(executorPreference: executor) {
      trial.write()
      await Task.yield()
      if trial.isCorrect { trial.write() }
    }
    if !trial.isCorrect { trial.write() }
    await task.value
    if trial.isCorrect { trial.write() }
  },
]

private enum Local {
  @TaskLocal static var trial: Trial?
}

/// Runs every job on a queue.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}
