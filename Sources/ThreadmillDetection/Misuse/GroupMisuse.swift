import ThreadmillModel

/// Dispatch groups whose enters and leaves do not match, whose end is asked for too early, or that
/// are waited for inside a queue that has to run their blocks.
struct GroupMisuse {
  func overleft(_ event: Happening.GroupOverleft) -> Finding {
    let name = event.group.displayName
    return Finding(
      kind: .unbalancedGroup, status: .observed, severity: .error,
      title: "Unbalanced group: \(name) is left more often than it was entered",
      participants: [event.thread.participant(role: "leaves \(name) once too often")],
      objects: [event.group],
      facts: event.leaves.facts("left \(name) before", acting: event.thread)
        + event.enters.facts("had entered \(name)", acting: event.thread),
      tests: Set(event.thread.tests).sorted())
  }

  /// Returns the finding about a notification that was asked for before the group was first
  /// entered.
  ///
  /// A notification on an empty group fires at once, which is right for an empty list of work, an
  /// idle tracker, or a group that is used again. It is certainly wrong if all of this holds: it
  /// was the first operation on the group, the function that asked for it entered the group
  /// afterwards, another strand left the group, and until the group was gone no thread waited for
  /// it or asked again. Then the counted work was meant for that notification, which had fired
  /// before. The gate checks all of this.
  ///
  /// Missed: enters by another function or thread, and groups that live as long as the program.
  func notifiedEarly(_ event: Happening.GroupNotifiedEarly) -> Finding {
    let name = event.group.displayName
    return Finding(
      kind: .unbalancedGroup, status: .observed, severity: .error,
      title: "Early notification: the end of \(name) was asked for before it was first entered",
      participants: [
        Finding.Participant(
          thread: event.notified.thread ?? event.thread.thread,
          role: "asked to be told of the end of \(name), which was empty: told at once",
          frames: event.notified.place)
      ],
      objects: [event.group],
      facts: [event.entered].facts(
        "entered \(name) only then; nobody waited for the leave", acting: event.thread),
      tests: Set(event.thread.tests).sorted())
  }

  /// Returns a deadlock, not a misuse: whatever other threads do, the missing block begins only
  /// after the wait for it is over. The gate has checked this.
  func awaitedInside(_ event: Happening.GroupAwaitedInside) -> Finding? {
    guard let inside = event.queues.last else { return nil }
    let group = event.group
    let queues = event.queues.map(\.displayName)
    let isMain = event.isOnMain
    let way = queues.count > 1 ? ": " + queues.joined(separator: " → ") : ""
    var waiter = event.thread.participant(
      role: (isMain ? "is the main thread" : inside.holding(.exclusive))
        + " and \(group.awaiting(.exclusive))")
    waiter.wants = group.id
    return Finding(
      kind: .deadlock, status: .observed, severity: .error,
      title: "Deadlock: \(group.displayName) is waited for "
        + (isMain ? "on the main thread" : "inside \(inside.displayName)")
        + ", which has to run a block of the group first" + way,
      participants: [waiter], objects: [group] + event.queues,
      facts: event.blocks.facts(
        "submitted a block of \(group.displayName) to \(queues[0]); it cannot begin",
        acting: event.thread),
      tests: Set(event.thread.tests).sorted())
  }
}
