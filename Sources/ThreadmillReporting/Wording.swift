import ThreadmillModel

extension Finding.Kind {
  /// One sentence on how to repair it, the same for every finding of the kind. A table, hence its
  /// length.
  package var repair: String {
    switch self {
    case .dataRace:
      "Guard every access to this state by one and the same lock, or move the state into an actor."
    case .lockOrderCycle:
      """
      Take these locks in one fixed order everywhere, or let go of the first before taking the \
      second.
      """
    case .deadlock:
      """
      Take these locks in one fixed order everywhere; never wait for a thread, group or operation \
      that needs something you hold (a group can notify instead); give every lock back before its \
      thread ends.
      """
    case .selfDeadlock:
      """
      Let go of the lock before you call a function that takes it again, or split off a function \
      that expects the lock to be held.
      """
    case .queueReentry:
      """
      Do the work directly if it already runs on this queue, or split off a function that expects \
      to run on the queue.
      """
    case .priorityInversion:
      """
      Give both sides the same quality of service, give urgent work a queue of its own, or hand the \
      result over without a wait.
      """
    case .poolStarvation:
      "Await the result instead of blocking a thread of the pool, or block on a thread of your own."
    case .blockedMainQueue:
      """
      Move long work off the main queue, and use notify or await instead of waiting on the main \
      thread.
      """
    case .unbalancedGroup:
      """
      Match every enter with exactly one leave on every path, for example by a defer right after \
      the enter, and call notify only after the first enter.
      """
    case .operationCycle:
      "Remove one of these dependencies: operations that wait for each other never start."
    case .operationMisuse:
      """
      Use every operation once, let it finish only after its start, and set executing before the \
      work begins.
      """
    case .semaphoreMisuse:
      """
      On every path, signal as often as you wait, and destroy a semaphore only when no signal is \
      missing.
      """
    case .queueMisuse:
      "Before you release a queue or source, activate it, and resume it as often as it was suspended."
    case .lockMisuse:
      """
      Let the thread that takes a lock give it back on every path before it ends, wait for a \
      condition only with its mutex held, and destroy a lock only when no thread uses it.
      """
    case .continuationMisuse:
      "Resume the continuation exactly once on every path, errors and cancellation included."
    case .confinementViolation:
      "Make this access on the thread or queue that owns the state, or guard the state by a lock."
    case .lockAcrossSuspension:
      "Let go of the lock before the await: the task may continue on another thread."
    case .lateWrite:
      "Wait for the work to end before its result is used, its owner goes away or its test returns."
    case .hang:
      """
      Find the signal, resume or leave that the waiting threads are missing; give a wait that may \
      fail a time limit.
      """
    case .assertionFailure:
      """
      Put the steps that the test takes for a single one under one lock; the schedule repeats the \
      failure.
      """
    case .crash:
      """
      Begin with the innermost of your own frames: guard the state that it uses, and keep alive \
      what it refers to.
      """
    }
  }

  /// The words before the second part of a thread in a finding.
  fileprivate var secondPart: String {
    switch self {
    case .lockOrderCycle: ", in other work that may run on another thread,"
    case .operationCycle, .operationMisuse: ", at another time,"
    default: ", before that,"
    }
  }

  /// The label of the stack of a thread that does not wait.
  package var stackLabel: String {
    switch self {
    case .blockedMainQueue: "in"
    case .dataRace: "at"
    default: "is at"
    }
  }
}

extension Finding {
  /// One sentence on how to repair it.
  package var repair: String {
    if facts.contains(where: \.isAboutHandOver) {
      return """
        Hand it over by a store that is .releasing, and take it over by a load that is .acquiring: \
        whoever sees the store then sees what came before it.
        """
    }
    guard kind == .assertionFailure, let story, story.sharesActors else { return kind.repair }
    return """
      An actor's state may change during each await: check again after the await, or act before \
      it, so that no await lies between a check and what depends on it.
      """
  }

  /// The words before the second part of a thread.
  package var secondPart: String { isSingleThreaded ? ", at another time," : kind.secondPart }
}

extension ScheduleStory {
  /// Whether two tasks enter one actor in it, and no lock is taken. XCTest's own task enters the
  /// main actor alone.
  fileprivate var sharesActors: Bool {
    if steps.contains(where: { $0.operation == .lock }) { return false }
    let entries = Dictionary(grouping: steps.filter { $0.operation == .hop }, by: \.object)
    return entries.contains { $0.key != nil && Set($0.value.map(\.column)).count > 1 }
  }
}
