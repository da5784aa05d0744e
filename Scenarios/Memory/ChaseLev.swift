import Synchronization

extension Scenario {
  /// A queue of jobs from which its owner takes at one end, and thieves at the other.
  ///
  /// **What people write.** The owner moves its end, then looks at the other one; only for the last
  /// job it has to compete. The thief looks at its end, then at the owner's. All of it acquires and
  /// releases.
  ///
  /// **Why it breaks.** The owner's store may come behind its look at the thieves' end. Then the
  /// owner takes a job that a thief has taken: each has seen the queue as it was before the other.
  ///
  /// **How it shows.** One job that runs twice, in one of many millions.
  ///
  /// **Repair.** A sequentially consistent fence between the store and the look, on both sides, as
  /// in the paper by Lê, Pop, Cohen and Zappa Nardelli.
  static let chaseLev = Scenario(
    id: "chase-lev", fault: .memory,
    summary: "A work-stealing queue has no fence between the owner's store and its look.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, explore: .finds("assertionFailure"), options: "memory=weak"),
      .repaired: .init(.ends, observe: .silent, options: "memory=weak"),
    ],
    flawed: {
      let (queue, done) = (WorkQueue(), Done())
      onThreads(
        { done.note(queue.takeWithoutFence()) },
        {
          done.note(queue.stealWithoutFence())
          done.note(queue.stealWithoutFence())
        })
      demand(done.twice, equals: 0)
    },
    repaired: {
      let (queue, done) = (WorkQueue(), Done())
      onThreads(
        { done.note(queue.take()) },
        {
          done.note(queue.steal())
          done.note(queue.steal())
        })
      demand(done.twice, equals: 0)
    })
}

/// Holds the jobs 0 and 1; the owner takes once.
private final class WorkQueue: Sendable {
  private let top = Atomic(0)
  private let bottom = Atomic(2)

  func takeWithoutFence() -> Int? {
    bottom.store(1, ordering: .releasing)
    return last()
  }

  func take() -> Int? {
    bottom.store(1, ordering: .releasing)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return last()
  }

  func stealWithoutFence() -> Int? {
    let first = top.load(ordering: .acquiring)
    return first < bottom.load(ordering: .acquiring) && advance(first) ? first : nil
  }

  func steal() -> Int? {
    let first = top.load(ordering: .acquiring)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return first < bottom.load(ordering: .acquiring) && advance(first) ? first : nil
  }

  private func last() -> Int? {
    let first = top.load(ordering: .acquiring)
    return first < 1 || first == 1 && advance(1) ? 1 : nil
  }

  private func advance(_ first: Int) -> Bool {
    top.compareExchange(
      expected: first, desired: first + 1, ordering: .sequentiallyConsistent
    ).exchanged
  }
}

private final class Done: Sendable {
  private final class Job: Sendable { let runs = Atomic(0) }

  private let jobs = [Job(), Job()]

  func note(_ job: Int?) { if let job { jobs[job].runs.add(1, ordering: .relaxed) } }
  /// The number of jobs that ran more than once.
  var twice: Int { jobs.count { $0.runs.load(ordering: .relaxed) > 1 } }
}
