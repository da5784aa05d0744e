/// What a finding is about.
///
/// The raw values stand in reports, in `without=` and in the documentation.
@nonexhaustive
public enum FindingKind: String, Codable, Sendable, CaseIterable {
  /// Two threads use the same memory, at least one of them writes, and nothing orders the two
  /// accesses.
  case dataRace
  /// Threads take locks, queues or semaphores in opposite orders, and nothing keeps the threads
  /// apart.
  case lockOrderCycle
  /// Threads wait for each other, or for something that can only come after their own end.
  case deadlock
  /// A thread waits for a lock that it holds itself.
  case selfDeadlock
  /// Work that runs on a serial queue waits for that queue.
  case queueReentry
  /// Work of a higher quality of service waits for work of a lower one.
  case priorityInversion
  /// All threads of a pool are blocked while work waits for one.
  case poolStarvation
  /// One block or one wait keeps the main queue busy, while other work waits for it.
  case blockedMainQueue
  /// A group is left more often than it was entered, or `notify` is called before its first enter.
  case unbalancedGroup
  /// Operations depend on each other in a circle.
  case operationCycle
  /// An operation is used twice, finishes before its start, or executes after it has finished.
  case operationMisuse
  /// A semaphore is destroyed while a thread waits for it, or while a signal is missing.
  case semaphoreMisuse
  /// A queue or source is destroyed while it is suspended or not yet activated.
  case queueMisuse
  /// A lock is used against its rules: unlocked or destroyed by the wrong thread or at the wrong
  /// time, or not given back.
  case lockMisuse
  /// A continuation is resumed twice or never.
  case continuationMisuse
  /// An object is used away from the queue or actor that it belongs to.
  case confinementViolation
  /// A task holds a lock during an `await`.
  case lockAcrossSuspension
  /// A job writes its result after its caller has stopped waiting for it.
  case lateWrite
  /// No thread can go on, and nothing is on its way that could wake one.
  case hang
  /// An expectation of a test failed.
  case assertionFailure
  /// A signal ended the process.
  case crash
}
