/// What a finding is about.
///
/// The raw values stand in reports, in `without=` and in the documentation.
@nonexhaustive
public enum FindingKind: String, Codable, Sendable, CaseIterable {
  /// Thread Sanitizer saw two threads at one place in memory, at least one of them writing, and
  /// nothing between them.
  case dataRace
  /// Locks, queues or semaphores are taken in opposite orders, and nothing keeps the two apart.
  case lockOrderCycle
  /// Threads wait for each other, or for what cannot come before their own end.
  case deadlock
  /// A lock is waited for by the thread that has it.
  case selfDeadlock
  /// A queue is waited for by work that runs on it.
  case queueReentry
  /// Work of a higher quality of service waits for work of a lower one.
  case priorityInversion
  /// All threads of a pool are blocked while work waits for one.
  case poolStarvation
  /// One block, or a wait, keeps the main queue from others.
  case blockedMainQueue
  /// A group is left too often, or asked for its end too early.
  case unbalancedGroup
  /// Operations wait for each other.
  case operationCycle
  /// An operation is used twice, finishes before its start or comes back after its end.
  case operationMisuse
  /// A semaphore is released while in use.
  case semaphoreMisuse
  /// A queue or source is released while suspended.
  case queueMisuse
  /// A lock is used against its rules: unlocked or destroyed by the wrong thread or at the wrong
  /// time, or not given back.
  case lockMisuse
  /// A continuation is resumed twice or never.
  case continuationMisuse
  /// An object is used away from the queue or actor that it belongs to.
  case confinementViolation
  /// A task takes a lock along into an `await`.
  case lockAcrossSuspension
  /// A job writes its result after whoever wanted it has gone on.
  case lateWrite
  /// Nothing moves any more, and nothing can come from outside.
  case hang
  /// An expectation of the program's own failed.
  case assertionFailure
  /// The process dies of a signal.
  case crash
}
