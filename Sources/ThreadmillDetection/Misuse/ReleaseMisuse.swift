import ThreadmillModel

/// Dispatch objects whose last reference goes in a state in which libdispatch ends the program.
struct ReleaseMisuse {
  func semaphoreInUse(_ event: Happening.SemaphoreFreedInUse) -> Finding {
    let name = event.semaphore.displayName
    let missing = event.initial - event.value
    return Finding(
      kind: .semaphoreMisuse, status: .observed, severity: .error,
      title: """
        Semaphore released in use: \(name) is let go while \(missing) \
        \(missing == 1 ? "signal is" : "signals are") missing
        """,
      participants: [event.thread.participant(role: "lets go of \(name) for the last time")],
      objects: [event.semaphore],
      facts: event.waits.facts("had waited for \(name)", acting: event.thread)
        + event.signals.facts("had signalled \(name)", acting: event.thread),
      tests: Set(event.thread.tests).sorted())
  }

  func suspended(_ event: Happening.SuspendedReleased) -> Finding {
    let name = event.object.displayName
    let state = event.isNeverActivated ? "not activated" : "suspended"
    return Finding(
      kind: .queueMisuse, status: .observed, severity: .error,
      title: "Released while \(state): \(name) is let go before it is resumed",
      participants: [event.thread.participant(role: "lets go of \(name) for the last time")],
      objects: [event.object],
      facts: [event.suspended].compactMap { $0 }
        .facts("had suspended \(name)", acting: event.thread),
      tests: Set(event.thread.tests).sorted())
  }
}
