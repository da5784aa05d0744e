import ThreadmillModel

/// Operations that are used twice, that report a wrong state, or that are waited for by a thread
/// that keeps them from beginning or ending.
struct OperationMisuse {
  func usedAgain(_ event: Happening.OperationUsedAgain) -> Finding {
    let name = event.operation.displayName
    let state = event.state?.words ?? "in use"
    let isStarted = event.use == .start
    let now = isStarted ? "starts \(name)" : "adds \(name) to a queue"
    var participants = [event.thread.actor(role: "\(now) while it is \(state)")]
    if let first = event.firstUse {
      participants.append(
        Finding.Participant(
          thread: first.thread ?? event.thread.thread, role: "used \(name) before",
          frames: first.place))
    }
    return misuse(
      event.thread, event.operation,
      "Operation used again: \(name) is \(isStarted ? "started" : "added to a queue") "
        + "while it is \(state)", participants)
  }

  func finishedEarly(_ event: Happening.OperationFinishedEarly) -> Finding {
    let name = event.operation.displayName
    return misuse(
      event.thread, event.operation,
      "Operation finished before its start: \(name) becomes finished "
        + (event.isCancelled ? "when it is cancelled, " : "")
        + "before its queue has started it",
      [event.thread.actor(role: "makes \(name) finished")])
  }

  func revived(_ event: Happening.OperationRevived) -> Finding {
    let name = event.operation.displayName
    return misuse(
      event.thread, event.operation,
      "Operation executing after its end: \(name) becomes executing after it has finished, so "
        + "that it is never finished for those who wait for it",
      [event.thread.actor(role: "makes \(name) executing again")])
  }

  /// Returns a deadlock, not a misuse: the thread waits for itself, whatever other threads do.
  func awaitedInside(_ event: Happening.OperationAwaitedInside) -> Finding {
    let name = event.awaited.displayName
    let why: String
    var others: [SharedObject] = []
    switch event.hindrance {
    case .itself: why = "\(name) waits inside itself for its own end"
    case .dependency(let running, let between):
      why = "\(running.displayName) waits for \(name), which waits for it by dependency"
      others = between + [running]
    case .queue(let running):
      why =
        "\(running.displayName) waits for \(name), which comes after it in a queue that runs one "
        + "operation at a time"
      others = [running]
    case .main: why = "the main thread waits for \(name), which only the main thread can run"
    }
    return Finding(
      kind: .deadlock, status: .observed, severity: .error, title: "Deadlock: " + why,
      participants: [event.thread.participant(role: "waits for the end of \(name)")],
      objects: [event.awaited] + others, tests: Set(event.thread.tests).sorted())
  }

  private func misuse(
    _ thread: ThreadSnapshot, _ operation: SharedObject, _ title: String,
    _ participants: [Finding.Participant]
  ) -> Finding {
    Finding(
      kind: .operationMisuse, status: .observed, severity: .error, title: title,
      participants: participants, objects: [operation], tests: Set(thread.tests).sorted())
  }
}

extension OperationState {
  /// A reader's name for the state.
  fileprivate var words: String {
    switch self {
    case .initialized: "new"
    case .enqueuing: "being added to a queue"
    case .enqueued, .dispatching: "in a queue"
    case .starting: "being started"
    case .executing: "executing"
    case .finishing: "finishing"
    case .finished: "finished"
    }
  }
}

extension ThreadSnapshot {
  /// Returns this thread's part in a finding for which the objects that it holds do not matter.
  func actor(role: String) -> Finding.Participant {
    Finding.Participant(thread: thread, threadName: name, role: role, frames: stack)
  }
}
