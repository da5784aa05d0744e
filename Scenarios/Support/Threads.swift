import Dispatch
import Foundation

/// Runs every job on a thread of its own, all of them started before the first is waited for.
///
/// Returns when all jobs have returned; never, if one does not.
func onThreads(_ jobs: (@Sendable () -> Void)...) {
  let finished = DispatchGroup()
  for job in jobs {
    finished.enter()
    Thread.detachNewThread {
      job()
      finished.leave()
    }
  }
  finished.wait()
}

/// Runs every job in a task of its own, all of them started before the first is waited for.
///
/// Returns when all jobs have returned; never, if one does not.
func onTasks(_ jobs: (@Sendable () async -> Void)...) {
  let finished = DispatchGroup()
  for job in jobs {
    finished.enter()
    Task.detached {
      await job()
      finished.leave()
    }
  }
  finished.wait()
}

/// Waits on this thread, which belongs to no task, until `task` has ended.
func awaitEnd(of task: Task<Void, Never>) {
  let ended = DispatchSemaphore(value: 0)
  Task.detached {
    await task.value
    ended.signal()
  }
  ended.wait()
}
