import ThreadmillModel

extension Finding {
  /// The finding, as a note if it is about nothing but objects of a test library's or Foundation's
  /// own making: it happened, and the user cannot repair it.
  ///
  /// The innermost frames of where an object was made tell whose it is. Their names are looked up
  /// late, so the severity is decided then. A process that stands still or dies is never a note.
  package var graded: Finding {
    guard Self.gradedKinds.contains(kind) else { return self }
    let wanted = Set(participants.compactMap(\.wants))
    let subjects = wanted.isEmpty ? objects : objects.filter { wanted.contains($0.id) }
    guard !subjects.isEmpty, subjects.allSatisfy(\.isLibrarysOwn) else { return self }
    var note = self
    note.severity = .note
    return note
  }

  private static let gradedKinds: Set<Kind> = [
    .priorityInversion, .lockMisuse, .semaphoreMisuse, .queueMisuse, .unbalancedGroup,
  ]
}

extension SharedObject {
  /// Whether a test library made the object, or no code of the user's took part.
  fileprivate var isLibrarysOwn: Bool {
    if let variable { return variable.isSystem }
    let inner = created.prefix(while: \.isSystem)
    return !inner.isEmpty
      && (inner.count == created.count
        || inner.contains { Self.testLibraries.contains($0.image ?? "") })
  }

  private static let testLibraries: Set = ["libXCTest.so", "libTesting.so"]
}
