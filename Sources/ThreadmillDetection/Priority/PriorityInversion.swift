import ThreadmillModel

/// Work of a high quality of service that has to wait for work of a lower one.
///
/// Lengths of time stand in roles and not in titles, so that waits of different lengths at one
/// place are one finding.
package struct PriorityInversion {
  func inverted(_ event: Happening.PriorityInverted) -> Finding? {
    guard let (waiter, low) = Self.names(of: event) else { return nil }
    let wait = Wait(event)
    return Finding(
      kind: .priorityInversion, status: .observed, severity: severity(isHarmful: event.isHarmful),
      title: "Priority inversion: \(waiter) work waits for \(event.object.displayName), "
        + "\(wait.partInTitle) \(low) work",
      participants: [
        part(of: event.thread, wait.roleOfWaiter(waiter), wants: event.object.id),
        wait.participant(event.other, low),
      ] + event.between.compactMap(between),
      objects: [event.object], tests: Set(event.thread.tests).sorted())
  }

  /// Returns the names of the two sides: by the qualities that were chosen, or by the ranks of the
  /// threads. Returns `nil` if the other side is not below the waiter.
  private static func names(
    of event: Happening.PriorityInverted
  ) -> (waiter: String, other: String)? {
    if let ranks = event.ranks {
      return ranks.other < ranks.waiter ? (ranks.waiter.name, ranks.other.name) : nil
    }
    guard let quality = event.thread.quality, let low = event.other.quality, low < quality
    else { return nil }
    return (quality.name, low.name)
  }

  func raised(_ event: Happening.QueueRaised) -> Finding? {
    guard let high = event.submitter.quality else { return nil }
    let role =
      "submits \(high.name) work, which waits \(milliseconds(event.nanoseconds)) behind "
      + "\(event.backlog) others and raises them all"
    return Finding(
      kind: .priorityInversion, status: .observed, severity: severity(isHarmful: event.isHarmful),
      title: "Priority inversion: \(high.name) work waits behind the backlog of "
        + "\(event.queue.displayName), which is \(event.quality.name)",
      participants: [
        Finding.Participant(
          thread: event.submitter.thread, threadName: event.submitter.name, role: role,
          frames: event.submitter.submitted)
      ],
      objects: [event.queue], tests: Set(event.thread.tests).sorted())
  }

  private func severity(isHarmful: Bool) -> Finding.Severity { isHarmful ? .warning : .note }

  private func between(_ thread: ThreadSnapshot) -> Finding.Participant? {
    guard let quality = thread.quality else { return nil }
    return part(of: thread, "ran in between, at \(quality.name)")
  }

  private func part(
    of thread: ThreadSnapshot, _ role: String, wants: LockID? = nil
  ) -> Finding.Participant {
    var part = thread.participant(role: role)
    part.wants = wants
    return part
  }
}

/// A length of time in words: `23.4 ms`.
private func milliseconds(_ nanoseconds: UInt64) -> String {
  let tenths = nanoseconds / 100_000
  return "\(tenths / 10).\(tenths % 10) ms"
}

/// One wait, in words.
private struct Wait {
  private let event: Happening.PriorityInverted

  init(_ event: Happening.PriorityInverted) { self.event = event }

  private var object: SharedObject { event.object }

  private var wasEnded: Bool { event.othersPart == .endedWait }

  var partInTitle: String {
    switch object.kind {
    case .group where wasEnded: "which was left last by"
    case .workItem where wasEnded, .operation where wasEnded: "which is"
    case _ where wasEnded: "which is signalled by"
    case .serialQueue, .concurrentQueue: "which runs"
    default: "which is held by"
    }
  }

  func roleOfWaiter(_ name: String) -> String {
    "runs at \(name) and waited \(milliseconds(event.nanoseconds)) for "
      + "\(object.displayName); \(bound)"
  }

  /// Returns the part of the other side. Its stack is the place where it took the object, or where
  /// it ended the wait.
  func participant(_ other: ThreadSnapshot, _ name: String) -> Finding.Participant {
    let place = Finding.HeldObject(object: object.id, frames: other.stack)
    return Finding.Participant(
      thread: other.thread, threadName: other.name, role: "runs at \(name) and \(part)",
      frames: wasEnded ? other.stack : [], holds: wasEnded ? [] : [place],
      submitted: other.submitted, runs: other.runs)
  }

  private var part: String {
    switch object.kind {
    case .group where wasEnded: "was the last to leave \(object.displayName)"
    case .workItem where wasEnded, .operation where wasEnded: "ran \(object.displayName)"
    case _ where wasEnded: "signalled \(object.displayName), for which the other had submitted it"
    case .serialQueue, .concurrentQueue: "was inside \(object.displayName) when the wait began"
    default: "held \(object.displayName) when the wait began"
    }
  }

  /// The words for the limit of the wait's length, if there is one.
  private var bound: String {
    if event.isLimited { return "its time limit bounds the wait" }
    if !event.between.isEmpty { return "nothing bounds the wait, since other work ran in between" }
    if event.otherWaits { return "nothing bounds the wait, since the other one waited itself" }
    return wasEnded
      ? "the work that it waits for bounds the wait"
      : "the section of the other one bounds the wait"
  }
}
