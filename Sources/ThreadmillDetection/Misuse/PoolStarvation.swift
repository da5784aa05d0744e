import ThreadmillModel

/// Blocked threads of a thread pool.
struct PoolStarvation {
  /// The most threads with one stack that are shown one by one.
  private static let alikeShown = 3

  // MARK: One task

  /// Returns a warning: a task must not block its thread, but the wait may end and do no harm.
  func jobBlocked(_ event: Happening.JobBlocked) -> Finding {
    switch event.awaited {
    case .object(let object):
      blocked(event.thread, "\(object.awaiting(.exclusive)) in a task", objects: [object])
    case .endOfThread(let joined):
      blocked(
        event.thread,
        "waits for the end of \(joined.map { "thread \($0)" } ?? "a thread") in a task")
    }
  }

  func jobSleeps(_ event: Happening.JobSleeps) -> Finding {
    blocked(event.thread, "sleeps in a task, for \(event.milliseconds) ms")
  }

  private func blocked(
    _ thread: ThreadSnapshot, _ role: String, objects: [SharedObject] = []
  ) -> Finding {
    Finding(
      kind: .poolStarvation, status: .observed, severity: .warning,
      title: "Blocked task: a thread for tasks \(role)",
      participants: [thread.participant(role: role)],
      objects: objects, tests: Set(thread.tests).sorted())
  }

  // MARK: All of them

  func starved(_ starvation: Starvation, describe: (LockID) -> SharedObject?) -> Finding {
    let crowds = Dictionary(grouping: starvation.threads, by: \.place).values
      .sorted { $0[0].thread < $1[0].thread }
    let shown = crowds.flatMap { $0.prefix(Self.alikeShown) }.sorted { $0.thread < $1.thread }
    let wanted = starvation.threads.compactMap { $0.joins == nil ? $0.waitsFor?.lock : nil }
    return Finding(
      kind: .poolStarvation, status: .observed, severity: .error, title: title(starvation),
      participants: shown.map { $0.participant(role: role($0, describe)) },
      objects: Set(wanted).sorted().map { describe($0) ?? SharedObject(id: $0, kind: .semaphore) },
      facts: facts(starvation, notShown: starvation.threads.count - shown.count),
      tests: Set(starvation.threads.flatMap(\.tests)).sorted())
  }

  private func title(_ starvation: Starvation) -> String {
    let count = starvation.threads.count + starvation.leftOut
    let threads = count == 1 ? "the only thread" : "all \(count) threads"
    let verb = count == 1 ? "is" : "are"
    return switch starvation.pool {
    case .cooperative:
      "Starved pool: \(threads) for tasks \(verb) blocked, and tasks wait for one"
    case .dispatch:
      "Thread explosion: \(threads) of a libdispatch pool \(verb) blocked, and blocks wait for one"
    }
  }

  private func role(_ thread: ThreadSnapshot, _ describe: (LockID) -> SharedObject?) -> String {
    if let joined = thread.joins { return "waits for the end of thread \(joined)" }
    guard let wanted = thread.waitsFor else { return "is blocked" }
    let object = describe(wanted.lock) ?? SharedObject(id: wanted.lock, kind: .semaphore)
    return object.awaiting(wanted.mode)
  }

  private func facts(_ starvation: Starvation, notShown: Int) -> [Finding.Fact] {
    let more = notShown + starvation.leftOut
    let others = more == 1 ? "1 more thread is" : "\(more) more threads are"
    let rest = more > 0 ? [Finding.Fact("\(others) blocked like these")] : []
    let what = starvation.pool == .cooperative ? "job" : "block"
    let waiting =
      starvation.waiting == 1
      ? "1 \(what) has not begun, for want of a thread"
      : "\(starvation.waiting) \(what)s have not begun, for want of a thread"
    return rest + [.init(waiting)]
  }
}

extension ThreadSnapshot {
  /// The place of the wait, by which threads are grouped.
  fileprivate var place: [Frame] { stack }
}
