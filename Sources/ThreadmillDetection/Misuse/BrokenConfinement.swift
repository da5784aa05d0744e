import ThreadmillModel

/// Objects that belong to one queue or one actor and are used elsewhere.
struct BrokenConfinement {
  /// A place of wrong use in the code. It counts once, even if it runs in a loop over many objects
  /// that were made at one place.
  private struct Place: Hashable {
    var use: Backtrace
    var confined: Backtrace
    var tests: [String]
  }

  private var known: Set<Place> = []

  /// Returns the finding, once for each place in the code and each test.
  mutating func broken(_ event: Happening.ConfinementBroken) -> Finding? {
    let (object, place) = (event.object, event.place)
    let tests = Set(event.thread.tests).sorted()
    let isNew = known.insert(
      Place(use: event.thread.stack, confined: object.created, tests: tests)
    ).inserted
    guard isNew else { return nil }
    let name = object.label ?? object.displayName
    return Finding(
      kind: .confinementViolation, status: .observed, severity: .error,
      title: "Confinement violation: \(name) belongs to \(place.placeName) and is used elsewhere",
      participants: [
        event.thread.participant(role: "uses \(name) outside \(place.placeName)"),
        Finding.Participant(
          thread: event.confiner,
          role: "confined \(name) to \(place.placeName)", frames: object.created),
      ],
      objects: place.kind == .actor ? [object] : [object, place], tests: tests)
  }
}

extension SharedObject {
  /// The name for messages. An actor's name is its type, and not a label that its user gave it.
  fileprivate var placeName: String {
    guard kind == .actor, let label else { return displayName }
    return "actor \(label)"
  }
}
