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
      Take these locks in one fixed order everywhere, wait for another thread, group or operation \
      only while nothing that it needs waits for you (a group can notify instead), and give every \
      lock back before its thread ends.
      """
    case .selfDeadlock:
      """
      Let go of the lock before calling what takes it again, or split off a function that expects \
      it to be held.
      """
    case .queueReentry:
      """
      Do the work directly when already on this queue, or split off a function that expects to be \
      on it.
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
      Signal as often as you wait on every path, and release a semaphore only when nobody is \
      missing a signal.
      """
    case .queueMisuse:
      "Resume a queue or source as often as you suspend it, and activate it, before you let it go."
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
      "Let go of the lock before the await: the task may go on on another thread."
    case .lateWrite:
      "Wait for the work to end before its result is used, its owner goes away or its test returns."
    case .hang:
      """
      Find the signal, resume or leave that the waiting threads are missing; give a wait that may \
      fail a time limit.
      """
    case .assertionFailure:
      """
      Make the steps that the assertion takes for one happen under one lock; seed and schedule \
      repeat the failure.
      """
    case .crash:
      """
      Begin with the innermost of your own frames: guard the state that it uses, and keep alive \
      what it refers to.
      """
    }
  }

  /// What is said of a thread that has a second part in a finding.
  fileprivate var secondPart: String {
    switch self {
    case .lockOrderCycle: ", in another block that may run elsewhere,"
    case .operationCycle, .operationMisuse: ", at another time,"
    default: ", before that,"
    }
  }

  /// What the stack of a thread that does not wait is to its part.
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
    guard kind == .assertionFailure, let story, story.switchesActors else { return kind.repair }
    return """
      An actor's state may change during each await: check again after the await, or act before \
      it, so that no await lies between a check and what depends on it.
      """
  }

  /// What is said of a thread that has a second part in it.
  package var secondPart: String { isSingleThreaded ? ", at another time," : kind.secondPart }
}

extension ScheduleStory {
  /// Whether tasks change to actors in it, and nothing takes a lock.
  fileprivate var switchesActors: Bool {
    let operations = Set(steps.map(\.operation))
    return operations.contains(.hop) && !operations.contains(.lock)
  }
}
