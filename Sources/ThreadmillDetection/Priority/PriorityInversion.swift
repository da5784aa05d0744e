import ThreadmillModel

/// Work of a high quality of service that has to wait for work of a lower one.
///
/// Lengths of time stand in roles and not in titles, so that the same wait is the same finding
/// however long it took.
struct PriorityInversion {
  /// Numbers: nanoseconds; whether that is harmful; whether the other one is known by what it had
  /// (0) or by having ended the wait (1); 2 where it waited for something itself, plus 1 if
  /// the wait had a time limit, plus 256 times the waiter's rank where ranks were compared.
  func inverted(_ happening: Happening) -> Finding? {
    guard let object = happening.objects.first, happening.numbers.count == 4,
      let other = happening.others.first,
      let (waiter, low) = Self.names(of: happening, other)
    else { return nil }
    let wait = Wait(happening, object)
    return Finding(
      kind: .priorityInversion, status: .observed, severity: wait.severity,
      title: "Priority inversion: \(waiter) work waits for \(object.displayName), "
        + "\(wait.partInTitle) \(low) work",
      participants: [
        part(of: happening.thread, wait.roleOfWaiter(waiter), wants: object.id),
        wait.participant(other, low),
      ] + happening.others.dropFirst().compactMap(between),
      objects: [object], tests: Set(happening.thread.tests).sorted())
  }

  /// What the two sides are called: by the qualities that were chosen, or by the ranks of the
  /// threads. `nil` where the other one is not below the waiter.
  private static func names(
    of happening: Happening, _ other: ThreadSnapshot
  ) -> (waiter: String, other: String)? {
    if let rank = SchedulingRank(rawValue: UInt8(truncatingIfNeeded: happening.numbers[3] >> 8)) {
      guard let low = other.rank, low < rank else { return nil }
      return (rank.name, low.name)
    }
    guard let quality = happening.thread.quality, let low = other.quality, low < quality
    else { return nil }
    return (quality.name, low.name)
  }

  /// Numbers: nanoseconds; whether that is harmful; how many were before it; the queue's quality.
  func raised(_ happening: Happening) -> Finding? {
    guard let queue = happening.objects.first, happening.numbers.count == 4,
      let submitter = happening.others.first, let high = submitter.quality,
      let low = Quality(rawValue: UInt8(truncatingIfNeeded: happening.numbers[3]))
    else { return nil }
    let wait = Wait(happening, queue)
    let role =
      "submits \(high.name) work, which waits \(wait.length) behind \(happening.numbers[2]) others "
      + "and raises them all"
    return Finding(
      kind: .priorityInversion, status: .observed, severity: wait.severity,
      title: "Priority inversion: \(high.name) work waits behind the backlog of "
        + "\(queue.displayName), which is \(low.name)",
      participants: [
        Finding.Participant(
          thread: submitter.thread, threadName: submitter.name, role: role,
          frames: submitter.submitted)
      ],
      objects: [queue], tests: Set(happening.thread.tests).sorted())
  }

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

/// One wait, in words.
private struct Wait {
  let length: String
  let severity: Finding.Severity
  private let object: SharedObject
  /// The other one ended the wait; all that is known of objects without an owner.
  private let wasEnded: Bool
  /// The other one waited for something itself.
  private let isPassedOn: Bool
  private let isLimited: Bool
  private let isOvertaken: Bool

  init(_ happening: Happening, _ object: SharedObject) {
    let numbers = happening.numbers
    let tenths = numbers[0] / 100_000
    length = "\(tenths / 10).\(tenths % 10) ms"
    severity = numbers[1] == 0 ? .note : .warning
    self.object = object
    wasEnded = numbers[2] == 1
    isLimited = numbers[3] & 1 == 1
    isOvertaken = happening.others.count > 1
    isPassedOn = numbers[3] & 2 == 2
  }

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
    "runs at \(name) and waited \(length) for \(object.displayName); \(bound)"
  }

  /// Its stack is the place where it took the object, or where it ended the wait.
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

  /// What kept the wait from lasting longer.
  private var bound: String {
    if isLimited { return "its time limit bounds the wait" }
    if isOvertaken { return "nothing bounds the wait, since other work ran in between" }
    if isPassedOn { return "nothing bounds the wait, since the other one waited itself" }
    return wasEnded
      ? "the work that it waits for bounds the wait"
      : "the section of the other one bounds the wait"
  }
}
