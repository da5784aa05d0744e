import ThreadmillModel

/// The name of each kind of finding and its explanation, for readers who meet it for the first
/// time. Tables, hence their length.
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
      Two threads use the same memory, at least one of them writes, and nothing orders the two \
      accesses: a thread may see a value that no thread wrote.
      """
    case .lockOrderCycle:
      """
      Threads take locks, queues or semaphores in opposite orders, and nothing keeps the threads \
      apart: in some run they wait for each other for ever.
      """
    case .deadlock:
      """
      Threads wait for each other, or for something that can only come after their own end, and \
      none of them goes on.
      """
    case .selfDeadlock:
      "A thread waits for a lock that it holds itself, and will wait for ever."
    case .queueReentry:
      "Work that runs on a serial queue waits for that same queue, and will wait for ever."
    case .priorityInversion:
      """
      Urgent work waits for work of a lower quality of service, and is therefore done as late as \
      the other work.
      """
    case .poolStarvation:
      "All threads of a pool are blocked while work waits for one of them."
    case .blockedMainQueue:
      "One block or one wait keeps the main queue busy, while other work waits for it."
    case .unbalancedGroup:
      "A group is left more often than it was entered, or notify is called before its first enter."
    case .operationCycle:
      "Operations depend on each other in a circle: none of them will ever start."
    case .operationMisuse:
      "An operation is used twice, finishes before its start, or executes after it has finished."
    case .semaphoreMisuse:
      "A semaphore is destroyed while a thread waits for it, or while a signal is missing."
    case .queueMisuse:
      "A queue or source is destroyed while it is suspended or not yet activated."
    case .lockMisuse:
      """
      A thread breaks the rules of a lock: it unlocks a lock of another thread, destroys a lock in \
      use, waits for a condition without its mutex or with a second one, or ends without an unlock.
      """
    case .continuationMisuse:
      "A continuation is resumed twice, which traps, or never, which leaves its task waiting."
    case .confinementViolation:
      "An object is used away from the queue, thread or actor that it belongs to."
    case .lockAcrossSuspension:
      "A task holds a lock during an await, and may continue on a thread that does not hold it."
    case .lateWrite:
      "A job writes its result after its caller has stopped waiting for it."
    case .hang:
      "No thread can go on, and nothing is on its way that could wake one."
    case .assertionFailure:
      "An expectation of a test failed in one of the orders of steps that the program allows."
    case .crash:
      "A signal or a sanitizer ended the process, in the code that the report shows."
    }
  }
}
