import ThreadmillModel

/// Dispatch objects that are let go in a state in which libdispatch ends the program.
struct ReleaseMisuse {
  func semaphoreInUse(_ happening: Happening) -> Finding? {
    guard let semaphore = happening.objects.first else { return nil }
    let name = semaphore.displayName
    let missing = happening.number(1) - happening.number(0)
    let waits = happening.number(2)
    return Finding(
      kind: .semaphoreMisuse, status: .observed, severity: .error,
      title: """
        Semaphore released in use: \(name) is let go while \(missing) \
        \(missing == 1 ? "signal is" : "signals are") missing
        """,
      participants: [happening.thread.participant(role: "lets go of \(name) for the last time")],
      objects: [semaphore],
      facts: happening.past(0..<waits, "had waited for \(name)")
        + happening.past(waits..<max(waits, happening.places.count), "had signalled \(name)"),
      tests: Set(happening.thread.tests).sorted())
  }

  func suspended(_ happening: Happening) -> Finding? {
    guard let object = happening.objects.first else { return nil }
    let name = object.displayName
    let state = happening.number(0) == 1 ? "not activated" : "suspended"
    return Finding(
      kind: .queueMisuse, status: .observed, severity: .error,
      title: "Released while \(state): \(name) is let go before it is resumed",
      participants: [happening.thread.participant(role: "lets go of \(name) for the last time")],
      objects: [object],
      facts: happening.past(happening.places.indices, "had suspended \(name)"),
      tests: Set(happening.thread.tests).sorted())
  }
}
