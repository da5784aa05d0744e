extension SharedObject {
  /// How a sentence calls it: `mutex L1`, `serial queue "bank"`, `Synchronization.Mutex Bank.lock
  /// L1`, `the Swift runtime's task status lock`.
  package var displayName: String {
    if kind == .taskStatusLock { return kind.noun }
    if kind == .operation { return operationName }
    guard let label, !label.isEmpty else { return "\(kind.noun) \(id)" }
    return isNamedByProperty ? "\(kind.noun) \(label) \(id)" : "\(kind.noun) \"\(label)\""
  }

  /// Whether the label is that of the stored property in which the object lies.
  package var isNamedByProperty: Bool { kind == .synchronizationMutex && label != nil }

  /// An operation's label is its class, followed by its name if it has one: `Resize "thumbnail"`,
  /// `BlockOperation L7`.
  private var operationName: String {
    guard let label, !label.isEmpty else { return "\(kind.noun) \(id)" }
    let words = label.split(separator: " ", maxSplits: 1)
    return words.count == 2 ? "\(words[0]) \"\(words[1])\"" : "\(label) \(id)"
  }

  /// What a thread does that has it: "holds mutex L1".
  package func holding(_ mode: HoldMode) -> String {
    switch kind {
    case .serialQueue: "is inside \(displayName)"
    case .concurrentQueue where mode == .exclusive: "is inside a barrier of \(displayName)"
    case .concurrentQueue: "is inside \(displayName)"
    case .operation: "runs \(displayName)"
    default: "holds \(displayName)\(purpose(mode))"
    }
  }

  /// What a thread does that gets it: "takes mutex L2".
  package func taking(_ mode: HoldMode) -> String {
    switch kind {
    case .serialQueue: "syncs onto \(displayName)"
    case .concurrentQueue where mode == .exclusive: "enters a barrier of \(displayName)"
    case .concurrentQueue: "syncs onto \(displayName)"
    default: "takes \(displayName)\(purpose(mode))"
    }
  }

  /// What a thread did that got it: "took mutex L2".
  package func took(_ mode: HoldMode) -> String { "took \(displayName)\(purpose(mode))" }

  /// What a thread does that does not get it: "waits for mutex L2".
  package func awaiting(_ mode: HoldMode) -> String { "waits for \(displayName)\(purpose(mode))" }

  private func purpose(_ mode: HoldMode) -> String {
    guard kind == .readWriteLock else { return "" }
    return mode == .exclusive ? " for writing" : " for reading"
  }
}
