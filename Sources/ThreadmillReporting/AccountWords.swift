import ThreadmillModel

/// The words in which a report tells its readers a count.
///
/// A count that is no loss, such as how much was seen, is for machines: only JSON and JUnit have
/// it.
package enum AccountWords {
  /// The counts that a reader is told, in the order of their names.
  package static func told(in report: Report) -> [(name: String, words: String, count: Int)] {
    report.accounting.sorted { $0.key < $1.key }.compactMap { name, count in
      count == 0 || measures.contains(name) ? nil : (name, words(for: name), count)
    }
  }

  private static let measures: Set = ["accessesToThreadsOwnMemory", "mutexesSeen", "strandFibres"]

  /// Whether there is more to tell of a count than its name.
  package static func isKnown(_ name: String) -> Bool {
    known[name] != nil || measures.contains(name)
  }

  /// A count without words of its own is told by its name: `droppedEvents` as `dropped events`.
  private static func words(for name: String) -> String { known[name] ?? split(name) }

  private static let known: [String: String] = [
    "accessesPerhapsToThreadsOwnMemory":
      "races left out, because the memory may be a thread's own",
    "acquisitionsUnprofiled": "locks missing in the profile, for lack of room",
    "clocksDropped": "orders of events forgotten, for lack of memory",
    "debugUnitsNotRead": "source files without lines, because their debug information is damaged",
    "filesChangedSinceLoaded": "libraries without lines, because their files have changed",
    "holdsDropped": "locks not watched, because their thread held too many",
    "jitterOverBudget": "delays left out, because they would have taken too long (budget=)",
    "jitterPlansDropped": "threads that were not disturbed, for lack of room",
    "lockCandidatesForgotten": "possible lock order cycles forgotten, for lack of room",
    "lockClassOrdersNotKept": "lock orders of classes not kept, for lack of room",
    "lockCyclesOfOneThread": "opposite lock orders that one thread took alone",
    "lockCyclesTooLong": "lock order cycles not looked for, because they have too many locks",
    "lockDependenciesForgotten": "lock orders forgotten, for lack of room",
    "lockFilteredNotKept": "candidates ruled out, of which nothing else is kept",
    "lockFindingsNotReported": "lock order cycles not told, because there are too many",
    "lockNotesNotReported": "notes on lock orders not told, because there are too many",
    "lockOrdersNotKept": "lock orders not kept, for lack of room",
    "lockSearchesCutShort": "searches for lock order cycles that were ended early",
    "lockUndeclared": "locks that were used before they were known",
    "lockWatchesExhausted": "possible lock order cycles that were looked at too often",
    "locksOfEndedThreadsForgotten": "locks of ended threads forgotten, for lack of room",
    "memoryRefused": "tables that could not grow, for lack of memory",
    "mutexImagesUnseen": "libraries in which Mutex is seen only while threads wait for it",
    "mutexLocksUnseen": "times that a Mutex was taken unseen",
    "mutexPlacesUnread": "places that lock a Mutex and could not be read",
    "nestingsForgotten": "nestings of locks forgotten, for lack of room",
    "operationWaysTooLong": "cycles of operations not looked for, because they are too long",
    "poolWorkUnwatched": "work of pools not watched, for lack of room",
    "racesLeftToSanitizer": "races left to Thread Sanitizer's own report",
    "sanitizerLockOrdersLeftOut":
      "lock orders of Thread Sanitizer's left out, because Threadmill judges them itself",
    "sanitizerRacesOfLibrariesLeftOut":
      "races in libraries left out, because they come of watching",
    "stacksDropped": "call stacks not kept, for lack of room",
    "stacksMissed": "call stacks that a thread did not give in time",
    "stacksTruncated": "call stacks cut off, because they are too deep",
    "strandsOrderedByReuse": "blocks and tasks that may hide a race, for lack of fibres (strands=)",
    "threadsDropped": "threads not watched, for lack of room",
    "traceEventsDropped": "events missing in the trace, for lack of room",
  ]

  private static func split(_ name: String) -> String {
    var result = ""
    for character in name {
      if character.isUppercase, result.last?.isLowercase == true {
        result += " " + character.lowercased()
      } else {
        result.append(character)
      }
    }
    return result
  }
}
