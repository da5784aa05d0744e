import ThreadmillModel

/// Waits for locks whose owners have ended.
///
/// Such a wait is a deadlock of one thread: no other thread can give the lock back. The gate has
/// checked that the owner is over, that the lock still names it, and that the lock is not robust.
struct EndedOwner {
  func awaited(_ event: Happening.OwnerEnded) -> Finding {
    let lock = event.lock
    let waits = lock.awaiting(event.thread.waitsFor?.mode ?? .exclusive)
    let owner = Finding.Participant(
      thread: event.owner, threadName: event.ownerName,
      role: "\(lock.took(.exclusive)) and has ended", frames: [],
      holds: [Finding.HeldObject(object: lock.id, frames: event.taken)])
    return Finding(
      kind: .deadlock, status: .observed, severity: .error,
      title: "Deadlock: \(name(event.thread.thread, event.thread.name)) \(waits), "
        + "taken by \(name(event.owner, event.ownerName)), which has ended",
      participants: [event.thread.participant(role: waits), owner], objects: [lock],
      tests: Set(event.thread.tests).sorted())
  }

  private func name(_ thread: ThreadID, _ name: String?) -> String {
    guard let name, !name.isEmpty else { return "thread \(thread)" }
    return "thread \"\(name)\""
  }
}
