import ThreadmillModel

/// What a kind of finding is called and what it means, for readers who meet it for the first time.
/// Tables, hence their length.
extension Finding.Kind {
  /// A few words, as a heading.
  package var name: String {
    switch self {
    case .dataRace: "Data race"
    case .lockOrderCycle: "Lock order cycle"
    case .deadlock: "Deadlock"
    case .selfDeadlock: "Lock taken twice by one thread"
    case .queueReentry: "Queue waited for from within"
    case .priorityInversion: "Priority inversion"
    case .poolStarvation: "Starved thread pool"
    case .blockedMainQueue: "Blocked main queue"
    case .unbalancedGroup: "Unbalanced group"
    case .operationCycle: "Cycle of operations"
    case .operationMisuse: "Misuse of an operation"
    case .semaphoreMisuse: "Misuse of a semaphore"
    case .queueMisuse: "Misuse of a queue"
    case .lockMisuse: "Misuse of a lock"
    case .continuationMisuse: "Misuse of a continuation"
    case .confinementViolation: "Use away from its queue or actor"
    case .lockAcrossSuspension: "Lock held across an await"
    case .lateWrite: "Late write"
    case .hang: "Hang"
    case .assertionFailure: "Failed expectation"
    case .crash: "Crash"
    }
  }

  /// One sentence on what it is and what comes of it.
  package var explanation: String {
    switch self {
    case .dataRace:
      """
      Two threads use the same memory, at least one of them writes, and nothing orders the two: \
      either may see a value that nobody wrote.
      """
    case .lockOrderCycle:
      """
      Locks, queues or semaphores are taken in opposite orders, and nothing keeps the two apart: \
      one day both threads wait for each other for ever.
      """
    case .deadlock:
      "Threads wait for each other, or for what cannot come before their own end: none will go on."
    case .selfDeadlock:
      "A thread waits for a lock that it holds itself, and will wait for ever."
    case .queueReentry:
      "Work that runs on a serial queue waits for that same queue, and will wait for ever."
    case .priorityInversion:
      """
      Urgent work waits for work of a lower quality of service, and is therefore done as late as \
      that is.
      """
    case .poolStarvation:
      "All threads of a pool are blocked while work waits for one of them."
    case .blockedMainQueue:
      "One block, or a wait, keeps the main queue from everything else that is due on it."
    case .unbalancedGroup:
      "A group is left more often than it was entered, or asked for its end before its beginning."
    case .operationCycle:
      "Operations depend on each other in a circle: none of them will ever start."
    case .operationMisuse:
      "An operation is used twice, finishes before its start or comes back after its end."
    case .semaphoreMisuse:
      "A semaphore is released while somebody still waits for it, or while a signal is missing."
    case .queueMisuse:
      "A queue or source is released while it is suspended or not yet activated."
    case .lockMisuse:
      """
      A lock is unlocked, destroyed or waited with by a thread that must not, or is not given back: \
      what it guards is no longer safe.
      """
    case .continuationMisuse:
      "A continuation is resumed twice, which traps, or never, which leaves its task waiting."
    case .confinementViolation:
      "An object is used away from the queue, thread or actor that it belongs to."
    case .lockAcrossSuspension:
      "A task takes a lock along into an await, and may go on on a thread that does not hold it."
    case .lateWrite:
      "A job writes its result after whoever wanted it has gone on."
    case .hang:
      "Nothing moves any more, and nothing is under way that could change that."
    case .assertionFailure:
      "An expectation of the program's own failed under an order of steps that it allows."
    case .crash:
      "The process died of a signal, in code of the stack that is shown."
    }
  }
}
