/// What bounds the work and the memory of the lock graph. Whoever hits one is counted.
package struct LockOrderLimits: Sendable {
  /// Locks in a cycle; longer ones are not looked for.
  package var cycleLength = 8
  /// New findings that one acquisition can make for each of the locks it holds.
  package var findingsPerDependency = 64
  /// Dropped candidates that one acquisition can make for each of the locks it holds.
  package var dropsPerDependency = 8
  /// Steps of the search for findings, for one acquisition and one of the locks it holds.
  package var searchSteps = 4_096
  /// Steps of the search for candidates that are worth remembering although they are none.
  package var dropSearchSteps = 512
  /// Acquisitions kept for one edge.
  package var dependenciesPerEdge = 16
  /// How often a dropped candidate asks to hear of its locks again.
  package var watchesPerCandidate = 64
  /// Findings whose locks all live.
  package var findings = 1_000
  /// Dropped candidates that are remembered while their locks live.
  package var droppedCandidates = 4_096
  /// Dropped candidates that are kept for the report.
  package var filteredFindings = 200
  /// Notes about cycles that one thread made alone.
  package var oneThreadNotes = 32
  /// Frames compared to tell whether two acquisitions come from the same code, if nothing better
  /// does.
  package var callPathFrames = 3

  package init() {}
}

/// The counters of what was left out. The raw values are the names in a report.
package enum LockOrderCounter: String, CaseIterable {
  /// Acquisitions that may close a cycle of more locks than are looked for.
  case lockCyclesTooLong
  /// Acquisitions whose search for findings was stopped.
  case lockSearchesCutShort
  /// Times that a cycle was found beyond the limit.
  case lockFindingsNotReported
  case lockDependenciesForgotten
  /// Dropped candidates that are not examined again, because they were examined often enough.
  case lockWatchesExhausted
  /// Acquisitions whose search for dropped candidates was stopped, and candidates beyond the limit.
  case lockCandidatesForgotten
  case lockFilteredNotKept
  /// Cycles that one thread made alone, told or not.
  case lockCyclesOfOneThread
  /// Cycles of one thread that were not reported, because there were too many.
  case lockNotesNotReported
  /// Nestings that are not kept by class.
  case lockClassOrdersNotKept
  /// Locks in acquisitions that were never declared, or retired already.
  case lockUndeclared
}
