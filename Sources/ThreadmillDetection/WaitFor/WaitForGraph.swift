import ThreadmillModel

/// Who waits for whom at one instant: deadlocks that are there, not ones that could be.
///
/// A thread waits for every other one that holds what it wants in a mode that shuts it out, and for
/// the one it joins. One that cannot go on keeps the waiter from going on, so any cycle is a
/// deadlock; this holds for locks, queues and semaphores that one signal at a time sets free, not
/// for counting ones.
package struct WaitForGraph {
  let threads: [ThreadID: ThreadSnapshot]
  let describe: (LockID) -> SharedObject?

  /// A deadlock that `starting` is part of or waits for; `nil` if there is none.
  ///
  /// The smallest one through the nearest thread; the same deadlock gives the same finding wherever
  /// it is looked for from. A thread that shuts itself out is none: that is
  /// ``selfDeadlock(_:describe:)``. Costs at most one step for each pair of threads, for each
  /// thread that `starting` waits for.
  package static func deadlock(
    among snapshots: [ThreadSnapshot], starting: ThreadID,
    describe: (LockID) -> SharedObject?
  ) -> Finding? {
    withoutActuallyEscaping(describe) { describe in
      let graph = WaitForGraph(snapshots, describe: describe)
      for thread in graph.reachable(from: starting) {
        if let cycle = graph.shortestCycle(through: thread) { return graph.finding(cycle) }
      }
      return nil
    }
  }

  private init(_ snapshots: [ThreadSnapshot], describe: @escaping (LockID) -> SharedObject?) {
    threads = Dictionary(snapshots.map { ($0.thread, $0) }) { _, later in later }
    self.describe = describe
  }

  /// The threads that keep `thread` from going on, in order.
  private func blockers(of thread: ThreadID) -> [ThreadID] {
    guard let waiter = threads[thread] else { return [] }
    if let joined = waiter.joins { return joined == thread ? [] : [joined] }
    guard let wanted = waiter.waitsFor else { return [] }
    return threads.values.filter { other in
      other.thread != thread
        && other.held.contains { $0.lock == wanted.lock && $0.mode.excludes(wanted.mode) }
    }.map(\.thread).sorted()
  }

  /// `start` and whatever it waits for, nearest first.
  private func reachable(from start: ThreadID) -> [ThreadID] {
    var found = [start]
    var next = 0
    while next < found.count {
      found += blockers(of: found[next]).filter { !found.contains($0) }
      next += 1
    }
    return found
  }

  /// `nil` if no cycle leads through `start`. Each thread of it waits for the next.
  private func shortestCycle(through start: ThreadID) -> [ThreadID]? {
    var paths = [[start]]
    var seen: Set<ThreadID> = []
    var next = 0
    while next < paths.count {
      let path = paths[next]
      next += 1
      for blocker in blockers(of: path[path.count - 1]) {
        if blocker == start { return path }
        if seen.insert(blocker).inserted { paths.append(path + [blocker]) }
      }
    }
    return nil
  }
}
