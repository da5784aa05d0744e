import ThreadmillModel

/// Operations that are used twice, that say of themselves what is not so, or that are waited for
/// where they cannot come.
struct OperationMisuse {
  /// What Foundation says of an operation, in its order.
  private static let states = [
    "new", "being added to a queue", "in a queue", "in a queue", "being started", "executing",
    "finishing", "finished",
  ]

  func usedAgain(_ happening: Happening) -> Finding? {
    guard let operation = happening.objects.first, happening.numbers.count > 2 else { return nil }
    let name = operation.displayName
    let isStarted = happening.numbers[0] == 1
    let state =
      Self.states.indices.contains(Int(happening.numbers[1]))
      ? Self.states[Int(happening.numbers[1])] : "in use"
    let now = isStarted ? "starts \(name)" : "adds \(name) to a queue"
    var participants = [happening.thread.actor(role: "\(now) while it is \(state)")]
    if let place = happening.places.first {
      participants.append(
        Finding.Participant(
          thread: ThreadID(UInt32(truncatingIfNeeded: happening.numbers[2])),
          role: "used \(name) before", frames: place))
    }
    return misuse(
      happening,
      "Operation used again: \(name) is \(isStarted ? "started" : "added to a queue") "
        + "while it is \(state)", participants)
  }

  func finishedEarly(_ happening: Happening) -> Finding? {
    guard let operation = happening.objects.first else { return nil }
    let name = operation.displayName
    let isCancelled = happening.numbers.first == 1
    return misuse(
      happening,
      "Operation finished before its start: \(name) becomes finished "
        + (isCancelled ? "when it is cancelled, " : "") + "before its queue has started it",
      [happening.thread.actor(role: "makes \(name) finished")])
  }

  func revived(_ happening: Happening) -> Finding? {
    guard let operation = happening.objects.first else { return nil }
    let name = operation.displayName
    return misuse(
      happening,
      "Operation executing after its end: \(name) becomes executing after it has finished, so "
        + "that it is never finished for those who wait for it",
      [happening.thread.actor(role: "makes \(name) executing again")])
  }

  /// A deadlock, not a misuse: the thread waits for itself, whatever else happens.
  func awaitedInside(_ happening: Happening) -> Finding? {
    guard let awaited = happening.objects.first, let running = happening.objects.last,
      let hindrance = happening.numbers.first.flatMap(Happening.OperationHindrance.init)
    else { return nil }
    let name = awaited.displayName
    let why: String =
      switch hindrance {
      case .itself: "\(name) waits inside itself for its own end"
      case .dependency:
        "\(running.displayName) waits for \(name), which waits for it by dependency"
      case .queue:
        "\(running.displayName) waits for \(name), which comes after it in a queue that runs one "
          + "operation at a time"
      case .main:
        "the main thread waits for \(name), which only the main thread can run"
      }
    return Finding(
      kind: .deadlock, status: .observed, severity: .error, title: "Deadlock: " + why,
      participants: [happening.thread.participant(role: "waits for the end of \(name)")],
      objects: happening.objects, tests: Set(happening.thread.tests).sorted())
  }

  private func misuse(
    _ happening: Happening, _ title: String, _ participants: [Finding.Participant]
  ) -> Finding {
    Finding(
      kind: .operationMisuse, status: .observed, severity: .error, title: title,
      participants: participants, objects: Array(happening.objects.prefix(1)),
      tests: Set(happening.thread.tests).sorted())
  }
}

extension ThreadSnapshot {
  /// This thread's part in a finding to which it does not matter what the thread holds.
  func actor(role: String) -> Finding.Participant {
    Finding.Participant(thread: thread, threadName: name, role: role, frames: stack)
  }
}
