import ThreadmillModel

/// Objects that belong to one queue or one actor and are used elsewhere.
struct BrokenConfinement {
  /// One wrong use in the code, however often it runs: in a loop, of many objects made alike.
  private struct Place: Hashable {
    var use: Backtrace
    var confined: Backtrace
    var tests: [String]
  }

  private var known: Set<Place> = []

  /// The finding, once for each place in the code and each test.
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
  /// An actor's name is its type, and not a title that somebody gave it.
  fileprivate var placeName: String {
    guard kind == .actor, let label else { return displayName }
    return "actor \(label)"
  }
}
