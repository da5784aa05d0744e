import ThreadmillModel

/// Dispatch groups whose enters and leaves do not match.
struct GroupMisuse {
  func overleft(_ happening: Happening) -> Finding? {
    guard let group = happening.objects.first else { return nil }
    return Finding(
      kind: .unbalancedGroup, status: .observed, severity: .error,
      title: "Unbalanced group: \(group.displayName) is left more often than it was entered",
      participants: [
        happening.thread.participant(role: "leaves \(group.displayName) once too often")
      ],
      objects: [group], tests: Set(happening.thread.tests).sorted())
  }
}
