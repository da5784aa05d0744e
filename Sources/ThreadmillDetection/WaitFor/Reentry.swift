import ThreadmillModel

/// What one thread does to itself, known for certain before it does it.
extension WaitForGraph {
  /// A thread that is about to wait for what it holds itself; `nil` if that does no harm.
  ///
  /// Certain for plain mutexes, spin locks and `Synchronization.Mutex`, and for a read-write lock
  /// unless both sides read. The caller leaves out mutexes that check for it themselves: their lock
  /// call returns an error instead. Queues have ``queueReentry(_:chain:)``.
  package static func selfDeadlock(
    _ snapshot: ThreadSnapshot, describe: (LockID) -> SharedObject?
  ) -> Finding? {
    guard let wanted = snapshot.waitsFor, let object = describe(wanted.lock),
      object.kind.canShutItselfOut,
      let hold = snapshot.held.first(where: {
        $0.lock == wanted.lock && $0.mode.excludes(wanted.mode)
      })
    else { return nil }
    return Finding(
      kind: .selfDeadlock, status: .observed, severity: .error,
      title: "Self-deadlock: \(object.displayName) is taken again by the thread that holds it",
      participants: [
        snapshot.participant(
          role: "\(object.holding(hold.mode)) and \(object.taking(wanted.mode)) again")
      ],
      objects: [object], tests: Set(snapshot.tests).sorted())
  }

  /// A `sync` onto a serial queue that waits for the work that makes it.
  ///
  /// - Parameters:
  ///   - snapshot: waits for the queue that is synced onto.
  ///   - chain: that queue, then each one's target, down to the serial queue that the thread is
  ///     already inside; just the queue if it is that one. Not empty.
  package static func queueReentry(
    _ snapshot: ThreadSnapshot, chain: [SharedObject]
  ) -> Finding {
    let names = chain.map(\.displayName)
    let target = names.first ?? "a queue"
    let inside = names.last ?? "a queue"
    let role =
      chain.count > 1
      ? "is inside \(inside) and syncs onto \(target), which leads to it"
      : "is inside \(inside) and syncs onto it"
    let title =
      chain.count > 1
      ? "Queue re-entry: sync onto \(target) from inside \(inside), to which it leads: "
        + names.joined(separator: " → ")
      : "Queue re-entry: sync onto \(target) from work that is already inside it"
    return Finding(
      kind: .queueReentry, status: .observed, severity: .error, title: title,
      participants: [snapshot.participant(role: role)], objects: chain,
      tests: Set(snapshot.tests).sorted())
  }
}

extension SharedObject.Kind {
  /// Whether a thread that takes it while it holds it waits for ever, or worse.
  ///
  /// A semaphore may be signalled by somebody else, and the task status lock is the runtime's
  /// business.
  fileprivate var canShutItselfOut: Bool {
    switch self {
    case .mutex, .spinLock, .readWriteLock, .synchronizationMutex, .once: true
    case .recursiveMutex, .semaphore, .condition, .group, .serialQueue, .concurrentQueue, .thread,
      .taskStatusLock, .actor, .operation, .continuation, .task, .source, .workItem,
      .confined:
      false
    }
  }
}
