import ThreadmillModel
import ThreadmillScheduling

/// Runs `body` under many schedules, until one of them fails.
///
/// In a schedule, exactly one of the body's threads, blocks, operations and tasks runs at a time. A
/// strategy chooses which one, at every lock, wait, signal, submission and sleep, and whenever one
/// begins. Time is virtual: sleeps and time limits end at once when nothing else can go on.
/// ``Exploration/failure`` has the schedule that failed, made as simple as possible.
///
/// ```swift
/// let result = try explore {
///   let counter = Counter()
///   DispatchQueue.concurrentPerform(iterations: 2) { _ in counter.increment() }
///   guard counter.value == 2 else { throw LostUpdate() }
/// }
/// #expect(result.failure == nil)
/// ```
///
/// The body runs many times in one process, so it has to create everything that it uses. It runs as
/// a task of its own, even if it is not asynchronous. Its findings belong to the test that
/// explores. Threads that can never go on stay in the process. A process with 1,000 of them cannot
/// explore any more.
///
/// - Parameters:
///   - schedules: the greatest number of schedules.
///   - strategy: how each schedule is chosen.
///   - seed: the source of all random choices. The same seed leads to the same schedules.
///   - steps: the number of steps after which a schedule counts as endless.
/// - Throws: ``ExplorationError`` if nothing can be explored.
public func explore(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () throws -> Void
) throws -> Exploration {
  try Explorer(seed: seed, steps: steps, body)
    .explore(schedules: schedules, strategy: strategy).reported
}

/// The same for an asynchronous body.
public func explore(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () async throws -> Void
) throws -> Exploration {
  try Explorer(seed: seed, steps: steps, body)
    .explore(schedules: schedules, strategy: strategy).reported
}

/// Explores from asynchronous code. The exploration runs on a thread of its own. The caller is
/// suspended meanwhile, so that it blocks no thread of Swift's tasks.
public func explore(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
  let explorer = Explorer(seed: seed, steps: steps, body)
  return try await ExplorerThread.run {
    try explorer.explore(schedules: schedules, strategy: strategy).reported
  }
}

/// Runs `body` once, under a schedule that failed in an exploration of it.
///
/// Every step is compared with the schedule. ``Exploration/divergence`` says where the body did
/// something else.
///
/// - Parameters:
///   - schedule: ``Exploration/Failure/schedule`` of the failure.
///   - steps: the number of steps after which the run counts as endless, as in the exploration;
///     `nil` for 100,000, or for more if the schedule is longer.
public func explore(
  replaying schedule: Schedule, steps: Int? = nil, _ body: @escaping @Sendable () throws -> Void
) throws -> Exploration {
  try Explorer(replaying: schedule, steps: steps, body).replay(schedule)
}

/// The same for an asynchronous body.
public func explore(
  replaying schedule: Schedule, steps: Int? = nil,
  _ body: @escaping @Sendable () async throws -> Void
) throws -> Exploration {
  try Explorer(replaying: schedule, steps: steps, body).replay(schedule)
}

/// The same from asynchronous code, which is suspended meanwhile.
public func explore(
  replaying schedule: Schedule, steps: Int? = nil,
  _ body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
  let explorer = Explorer(replaying: schedule, steps: steps, body)
  return try await ExplorerThread.run { try explorer.replay(schedule) }
}

/// Why nothing was explored.
@nonexhaustive
public enum ExplorationError: Error, CustomStringConvertible {
  /// Threadmill does not watch this process.
  case notWatched
  /// The exploration was started within another one.
  case nested
  /// Earlier schedules left this number of threads in the process, which wait for ever.
  case tooManyParkedThreads(Int)
  /// A schedule has more threads, blocks and tasks than an exploration can have.
  case tooManyStrands(Int)
  /// The system starts no further thread for a block or task.
  case noThread
  /// The system has no memory for an exploration.
  case noMemory
  /// A schedule waited for another process, the network or a device, and nothing came for a minute.
  case waitsOutside(String?)
  /// A thread of the program made no step for this long at this place. The thread waits for
  /// something that is not under control, or loops without a call.
  case standsStill(seconds: Int, place: String?)
  /// The first schedule of the program has more steps than this, or is long and another one has.
  case tooManySteps(Int)
  /// The program has started threads before its main function.
  case startsThreadsBeforeMain
  /// The exploration cannot be led to a line of the option `towards`, for this reason.
  case cannotLead(String)

  /// The reason, with what to do about it.
  public var description: String {
    switch self {
    case .notWatched: "nothing is explored: Threadmill does not watch this process"
    case .nested: "an exploration within an exploration; move the inner one out"
    case .tooManyParkedThreads(let count):
      "\(count) threads of earlier schedules wait for ever in this process, so it cannot explore any "
        + "more; explore the rest in another process"
    case .tooManyStrands(let most):
      "a schedule has more than \(most) threads, blocks and tasks; explore less of it at once"
    case .noThread:
      "the system starts no further thread for a block or task; allow more threads (ulimit -u, or the "
        + "container's limit of processes)"
    case .waitsOutside(let place):
      "a schedule waits at \(place ?? "an unknown place") for something from outside of the process, "
        + "and nothing came for 60 s; let the test itself send it, or do not explore this test"
    case .standsStill(let seconds, let place):
      "in a schedule, a thread makes no step for \(seconds) s at \(place ?? "the end of the program"):"
        + " it waits for something that is not under control, such as a future, or loops without a"
        + " call; use a condition, a semaphore or sched_yield there"
    case .tooManySteps(let most):
      "the program is long, and takes more than \(most) steps in a schedule; explore a smaller run"
        + " of it"
    case .startsThreadsBeforeMain:
      "the program starts threads before its main function, which the copies that run the schedules"
        + " would not have; start them in main"
    case .cannotLead(let reason): reason
    case .noMemory: "nothing is explored: the system has no memory for it"
    }
  }
}
