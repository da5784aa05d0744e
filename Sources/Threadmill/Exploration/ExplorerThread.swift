#if os(Linux)
  import Glibc
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

    /// Runs the job on a new thread, which ends with it. It is a thread of the C library: a program
    /// that is watched gets Foundation only if it has Foundation itself, which costs each process
    /// more than all else that watching loads.
    func enqueue(_ job: consuming ExecutorJob) {
      let work = Unmanaged.passRetained(
        Work(job: UnownedJob(job), executor: asUnownedTaskExecutor()))
      var thread = pthread_t()
      let error = Gate.unseen {
        pthread_create(&thread, nil, Self.begin, work.toOpaque())
      }
      guard error == 0 else {
        fatalError(
          "Threadmill: no thread can be started to explore on: \(String(cString: strerror(error)))")
      }
      pthread_detach(thread)
    }

    private static let begin:
      @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        return nil
      }

    private final class Work {
      private let job: UnownedJob
      private let executor: UnownedTaskExecutor

      init(job: UnownedJob, executor: UnownedTaskExecutor) {
        (self.job, self.executor) = (job, executor)
      }

      func run() { job.runSynchronously(on: executor) }
    }
  }
#else
  enum ExplorerThread {
    static func run(
      _ explore: () throws -> Exploration
    ) async throws -> Exploration { try explore() }
  }
#endif
