import ThreadmillModel

/// Locks that a task still holds when it suspends in an `await`.
///
/// The task resumes on any free thread, but the lock belongs to the thread that took it, so that
/// the wrong thread unlocks it. Until then, each thread that wants the lock is blocked and runs no
/// tasks. One of these threads may be the one that the task needs to resume.
package struct SuspensionMisuse {
  func lockKept(_ event: Happening.LockKept) -> Finding {
    let (lock, awaits) = (event.lock, event.awaits)
    let hold = event.thread.held.last { $0.lock == lock.id } ?? Hold(lock: lock.id)
    let moment =
      awaits.isEmpty ? "when its task leaves the thread" : "when its task suspends in an await"
    return Finding(
      kind: .lockAcrossSuspension, status: .observed, severity: .error,
      title: "Lock across suspension: \(lock.displayName) is still held \(moment)",
      participants: [
        Finding.Participant(
          thread: event.thread.thread, threadName: event.thread.name,
          role: "\(lock.holding(hold.mode)) \(moment)",
          frames: awaits.isEmpty ? hold.site : awaits,
          holds: [Finding.HeldObject(object: lock.id, mode: hold.mode, frames: hold.site)])
      ],
      objects: [lock], tests: Set(event.thread.tests).sorted())
  }

  /// Returns the finding without the calls that the lock's holder awaits: the first frame is then
  /// the `await` in the function that took the lock, or that called the function that did.
  ///
  /// Needs names, because the code of an asynchronous function before an `await` and the code after
  /// it have nothing else in common.
  package static func seenFromHolder(_ finding: Finding) -> Finding {
    guard finding.kind == .lockAcrossSuspension, let participant = finding.participants.first else {
      return finding
    }
    let takers = participant.holds.flatMap(\.frames).filter { !$0.isSystem }
    let isHolder = { (frame: Frame) in
      frame.function != nil && takers.contains { $0.isInFunction(of: frame) }
    }
    guard let index = participant.frames.firstIndex(where: isHolder) else { return finding }
    var named = finding
    named.participants[0].frames.removeFirst(index)
    return named
  }
}

extension Frame {
  fileprivate func isInFunction(of other: Frame) -> Bool {
    function == other.function && file == other.file && image == other.image
  }
}
