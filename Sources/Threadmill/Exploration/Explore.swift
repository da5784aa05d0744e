import ThreadmillModel
import ThreadmillScheduling

/// Runs `body` under up to so many schedules, until one goes wrong.
///
/// Of the threads, blocks, operations and tasks that the body starts exactly one goes on at a time;
/// which one, a strategy chooses at every lock, wait, signal, submission, sleep and at every
/// beginning. Time is virtual: sleeps and time limits end at once when nothing else can go on.
/// ``Exploration/failure`` has the schedule that went wrong, made as simple as possible.
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
/// The body runs many times in one process: what it uses has to be made by it. It runs as a task of
/// its own, also where it is not asynchronous, and works for the test that explores. Threads that
/// can never go on stay where they are; a process with 1,000 of them explores no more.
///
/// - Parameters:
///   - schedules: how many at most.
///   - strategy: how the order is chosen.
///   - seed: what chance comes from; the same one leads to the same schedules.
///   - steps: how many a schedule may have before it counts as endless.
/// - Throws: ``ExplorationError`` where nothing can be explored.
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

/// The same from asynchronous code. The exploration runs on a thread of its own, and the caller is
/// suspended meanwhile: it keeps no thread of Swift's tasks.
public func explore(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
  let explorer = Explorer(seed: seed, steps: steps, body)
  return try await ExplorerThread.run {
    try explorer.explore(schedules: schedules, strategy: strategy).reported
  }
}

/// Runs `body` once, in the order of a schedule that an exploration of it has led to.
///
/// Every step is held against the schedule; ``Exploration/divergence`` says where the body did
/// something else.
///
/// - Parameters:
///   - schedule: one of ``Exploration/Failure/schedule``.
///   - steps: how many it may have before it counts as endless, as was said for the exploration;
///     `nil` for 100,000, or more where the schedule is longer.
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
  /// The code that explores is itself under control.
  case nested
  /// So many threads of this process wait for ever, left over from schedules.
  case tooManyParkedThreads(Int)
  /// A schedule has more threads, blocks and tasks than an exploration can tell apart.
  case tooManyStrands(Int)
  /// The system starts no further thread for a block or task.
  case noThread
  /// The system has no memory for an exploration.
  case noMemory
  /// A schedule waited for another process, the network or a device, and nothing came for a minute.
  case waitsOutside(String?)

  /// For people.
  public var description: String {
    switch self {
    case .notWatched: "nothing is explored: Threadmill does not watch this process"
    case .nested: "an exploration within an exploration; move the inner one out"
    case .tooManyParkedThreads(let count):
      "\(count) threads that schedules have left waiting for ever are in this process, which explores "
        + "no more; explore the rest in a process of its own"
    case .tooManyStrands(let most):
      "a schedule has more than \(most) threads, blocks and tasks; explore less of it at once"
    case .noThread:
      "the system starts no further thread for a block or task that is explored; allow more of them "
        + "(ulimit -u, or the container's limit of processes)"
    case .waitsOutside(let place):
      "a schedule waits at \(place ?? "an unknown place") for what comes from outside of the process, "
        + "and nothing came for 60 s; have the test make it, or leave this test out"
    case .noMemory: "nothing is explored: the system has no memory for it"
    }
  }
}
