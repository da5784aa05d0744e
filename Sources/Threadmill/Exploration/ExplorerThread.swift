#if os(Linux)
  import Foundation
  import ThreadmillRuntime

  /// Runs what explores for asynchronous code. What explores waits for its turns, and must not keep
  /// one of the few threads of Swift's tasks meanwhile: the code that is explored beside it, and
  /// other tests, need them.
  ///
  /// The caller's task itself goes on there, so that the bodies inherit its task-local values.
  final class ExplorerThread: TaskExecutor {
    static func run(
      _ explore: () throws -> Exploration
    ) async throws -> Exploration {
      // The thread is not under control, and could not tell.
      try BodyRun.refuseNested()
      return try await withTaskExecutorPreference(shared) { try explore() }
    }

    /// Lives for ever, because the runtime does not retain the executor of a task.
    private static let shared = ExplorerThread()

    /// Runs the job on a new thread, which ends with it.
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      Gate.unseen {
        Thread.detachNewThread { job.runSynchronously(on: executor) }
      }
    }
  }
#else
  enum ExplorerThread {
    static func run(
      _ explore: () throws -> Exploration
    ) async throws -> Exploration { try explore() }
  }
#endif
