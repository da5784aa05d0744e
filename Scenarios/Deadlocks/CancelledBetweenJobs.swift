import Synchronization

extension Scenario {
  /// A worker at a job board is cancelled between two jobs, and waits for the next one for ever.
  ///
  /// **What people write.** The board is in a `Mutex`. `next` returns at once if the task is
  /// cancelled; if not, it keeps its continuation by `withLock`. The cancellation handler takes the
  /// continuation out by `withLock`, and resumes it.
  ///
  /// **Why it breaks.** The task is cancelled after the question and before the continuation is
  /// kept. The handler finds no continuation, and nobody calls it again.
  ///
  /// **How it shows.** A shutdown that waits for its workers hangs once in some thousand times. No
  /// thread is blocked and no lock is held.
  ///
  /// **Repair.** The handler notes in the Mutex that the board is closed, and whoever keeps a
  /// continuation looks there first, in the same closure.
  static let cancelledBetweenJobs = Scenario(
    id: "cancelled-between-jobs", fault: .deadlocks,
    summary: "A task asks whether it is cancelled, and parks, in two steps, guarded by a Mutex.",
    expectations: [
      .flawed: .init(
        .mayHang, observe: .perhaps("hang"), explore: .finds("hang"), options: "hang=1"),
      .harmful: .init(
        .hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let board = JobBoard()
      board.post("sweep")
      let worker = Task.detached { await board.work { while await board.next() != nil {} } }
      onThreads({ worker.cancel() })
      awaitEnd(of: worker)
    },
    harmful: {
      let board = JobBoard()
      let asked = Arrivals()
      let worker = Task.detached {
        await board.work {
          _ = await board.next()
          _ = await board.next {
            asked.announce()
            board.cancelled.wait()
          }
        }
      }
      board.post("sweep")
      asked.wait()
      worker.cancel()
      awaitEnd(of: worker)
    },
    repaired: {
      let board = JobBoard()
      let asked = Arrivals()
      let worker = Task.detached {
        await board.workToTheEnd {
          while await board.nextUnlessClosed(meanwhile: { asked.meet(2, limit: 0.1) }) != nil {}
        }
      }
      onThreads(
        { board.post("sweep") },
        {
          asked.meet(2, limit: 0.1)
          worker.cancel()
        })
      awaitEnd(of: worker)
    })
}

private final class JobBoard: Sendable {
  private typealias Waiting = CheckedContinuation<String?, Never>

  private struct Board {
    var jobs: [String] = []
    var worker: Waiting?
    var isClosed = false
  }

  let cancelled = Arrivals()
  private let board = Mutex(Board())

  /// Works until the task is cancelled.
  func work(_ working: @Sendable () async -> Void) async {
    await withTaskCancellationHandler {
      await working()
    } onCancel: {
      board.withLock { $0.worker.take() }?.resume(returning: nil)
      cancelled.announce()
    }
  }

  func workToTheEnd(_ working: @Sendable () async -> Void) async {
    await withTaskCancellationHandler {
      await working()
    } onCancel: {
      let waiting = board.withLock { board in
        board.isClosed = true
        return board.worker.take()
      }
      waiting?.resume(returning: nil)
    }
  }

  func post(_ job: String) {
    let waiting = board.withLock { board in
      if board.worker == nil { board.jobs.append(job) }
      return board.worker.take()
    }
    waiting?.resume(returning: job)
  }

  /// `meanwhile` stands for the sharpening of the tools.
  func next(meanwhile: @Sendable () -> Void = {}) async -> String? {
    if Task.isCancelled { return nil }
    meanwhile()
    return await withCheckedContinuation { continuation in
      let job = board.withLock { board in
        if board.jobs.isEmpty { board.worker = continuation }
        return board.jobs.popLast()
      }
      if let job { continuation.resume(returning: job) }
    }
  }

  func nextUnlessClosed(meanwhile: @Sendable () -> Void) async -> String? {
    if Task.isCancelled { return nil }
    meanwhile()
    return await withCheckedContinuation { continuation in
      let (job, waits) = board.withLock { board in
        let waits = board.jobs.isEmpty && !board.isClosed
        if waits { board.worker = continuation }
        return (board.jobs.popLast(), waits)
      }
      if !waits { continuation.resume(returning: job) }
    }
  }
}
