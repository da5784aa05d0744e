import ThreadmillModel

/// Locks that are used against their rules, which glibc tolerates.
///
/// An error is told where exclusion or a wait is certainly broken. A warning is told where a
/// program may live with it on glibc, as with a mutex that serves as a semaphore.
struct LockMisuse {
  func misused(_ event: Happening.LockMisused) -> Finding {
    var actor = event.thread.participant(role: role(event))
    if case .endedWith = event.misuse { actor = ended(event, actor) }
    return Finding(
      kind: .lockMisuse, status: .observed, severity: severity(event.misuse),
      title: "Lock misuse: " + title(event), participants: [actor],
      objects: [event.lock] + [event.condition].compactMap(\.self),
      facts: [event.other].compactMap(\.self).facts(deed(event.misuse), acting: event.thread),
      tests: Set(event.thread.tests).sorted())
  }

  /// The thread is in no code of its own any more: its place is the one where it took the lock.
  private func ended(
    _ event: Happening.LockMisused, _ actor: Finding.Participant
  ) -> Finding.Participant {
    var actor = actor
    actor.frames = []
    actor.holds.removeAll { $0.object != event.lock.id }
    return actor
  }

  private func severity(_ misuse: Happening.LockMisused.Misuse) -> Finding.Severity {
    switch misuse {
    case .unlockedUnheld, .destroyedAwaited, .usedDestroyed, .awaitedWithout, .awaitedWithTwo:
      .error
    case .unlockedOthers, .destroyedHeld, .endedWith: .warning
    }
  }

  private func title(_ event: Happening.LockMisused) -> String {
    let name = event.lock.displayName
    return switch event.misuse {
    case .unlockedUnheld: "\(name) is unlocked, and no thread holds it"
    case .unlockedOthers: "\(name) is unlocked by a thread that does not hold it"
    case .destroyedHeld: "\(name) is destroyed while a thread holds it"
    case .destroyedAwaited: "\(name) is destroyed while a thread waits for it"
    case .usedDestroyed: "\(name) is used after it was destroyed"
    case .awaitedWithout:
      "\(condition(event)) is waited for without holding \(name)"
    case .awaitedWithTwo: "\(condition(event)) is waited for with two mutexes at the same time"
    case .endedWith: "a thread ends, and still holds \(name)"
    }
  }

  private func role(_ event: Happening.LockMisused) -> String {
    let name = event.lock.displayName
    return switch event.misuse {
    case .unlockedUnheld, .unlockedOthers: "unlocks \(name)"
    case .destroyedHeld, .destroyedAwaited: "destroys \(name)"
    case .usedDestroyed: "uses \(name)"
    case .awaitedWithout, .awaitedWithTwo: "waits for \(condition(event)) with \(name)"
    case .endedWith: "ends, and still holds \(name)"
    }
  }

  private func condition(_ event: Happening.LockMisused) -> String {
    event.condition?.displayName ?? "a condition"
  }

  /// What was done at the other place.
  private func deed(_ misuse: Happening.LockMisused.Misuse) -> String {
    switch misuse {
    case .unlockedUnheld, .unlockedOthers, .destroyedHeld, .awaitedWithout, .endedWith:
      "took it, and holds it"
    case .destroyedAwaited: "waits for it"
    case .awaitedWithTwo: "waits for the condition with another mutex"
    case .usedDestroyed: "had destroyed it"
    }
  }
}
