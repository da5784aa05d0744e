import ThreadmillModel

/// Runs `body` under up to so many schedules, and collects what it returns.
///
/// ```swift
/// let found = try outcomes {
///   let counter = Counter()
///   DispatchQueue.concurrentPerform(iterations: 2) { _ in counter.increment() }
///   return counter.value
/// }
/// #expect(found.values == [2])
/// ```
///
/// Each value comes with how often it was seen, and with a schedule that leads to it again:
/// `print(found)` shows a table. ``Outcomes/allowing(_:)`` fails with the schedule of a value that
/// is not allowed. The body runs as that of `explore` does: it has to make what it uses. It may be
/// asynchronous.
///
/// From asynchronous code the call is the same, without `await`: it keeps its thread until all
/// schedules were run.
///
/// - Parameters:
///   - schedules: how many at most.
///   - strategy: how the order is chosen.
///   - seed: what chance comes from; the same one leads to the same schedules.
///   - steps: how many a schedule may have before it counts as endless.
/// - Throws: ``Exploration/Failure`` for a schedule in which the body comes to no value: it throws,
///   never ends, or something is found. ``ExplorationError`` where nothing can be explored.
public func outcomes<Value: Hashable & Sendable>(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () async throws -> Value
) throws -> Outcomes<Value> {
  try OutcomeCollector(seed: seed, steps: steps, body)
    .collect(schedules: schedules, strategy: strategy)
}

/// Runs `body` once, in the order of a schedule of ``Outcomes/Outcome/schedule``: the result has
/// one value. ``Outcomes/Outcome/divergence`` says where the body did something else.
public func outcomes<Value: Hashable & Sendable>(
  replaying schedule: Schedule, _ body: @escaping @Sendable () async throws -> Value
) throws -> Outcomes<Value> {
  try OutcomeCollector(replaying: schedule, body).replay(schedule)
}

// A body that returns a tuple: one function for each number of elements, because the compiler
// (6.3.1) crashes at a closure that returns a tuple of any number of them.

/// The same for a body that returns a pair.
public func outcomes<First: Hashable & Sendable, Second: Hashable & Sendable>(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () async throws -> (First, Second)
) throws -> Outcomes<Tuple<First, Second>> {
  try outcomes(schedules: schedules, strategy: strategy, seed: seed, steps: steps) {
    let value = try await body()
    return Tuple(value.0, value.1)
  }
}

/// Runs a body again that returns a pair.
public func outcomes<First: Hashable & Sendable, Second: Hashable & Sendable>(
  replaying schedule: Schedule, _ body: @escaping @Sendable () async throws -> (First, Second)
) throws -> Outcomes<Tuple<First, Second>> {
  try outcomes(replaying: schedule) {
    let value = try await body()
    return Tuple(value.0, value.1)
  }
}

/// The same for a body that returns a triple.
public func outcomes<
  First: Hashable & Sendable, Second: Hashable & Sendable, Third: Hashable & Sendable
>(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000, _ body: @escaping @Sendable () async throws -> (First, Second, Third)
) throws -> Outcomes<Tuple<First, Second, Third>> {
  try outcomes(schedules: schedules, strategy: strategy, seed: seed, steps: steps) {
    let value = try await body()
    return Tuple(value.0, value.1, value.2)
  }
}

/// Runs a body again that returns a triple.
public func outcomes<
  First: Hashable & Sendable, Second: Hashable & Sendable, Third: Hashable & Sendable
>(
  replaying schedule: Schedule,
  _ body: @escaping @Sendable () async throws -> (First, Second, Third)
) throws -> Outcomes<Tuple<First, Second, Third>> {
  try outcomes(replaying: schedule) {
    let value = try await body()
    return Tuple(value.0, value.1, value.2)
  }
}

/// The same for a body that returns a tuple of four.
public func outcomes<
  First: Hashable & Sendable, Second: Hashable & Sendable, Third: Hashable & Sendable,
  Fourth: Hashable & Sendable
>(
  schedules: Int = 1_000, strategy: ExplorationStrategy = .portfolio, seed: UInt64 = 1,
  steps: Int = 100_000,
  _ body: @escaping @Sendable () async throws -> (First, Second, Third, Fourth)
) throws -> Outcomes<Tuple<First, Second, Third, Fourth>> {
  try outcomes(schedules: schedules, strategy: strategy, seed: seed, steps: steps) {
    let value = try await body()
    return Tuple(value.0, value.1, value.2, value.3)
  }
}

/// Runs a body again that returns a tuple of four.
public func outcomes<
  First: Hashable & Sendable, Second: Hashable & Sendable, Third: Hashable & Sendable,
  Fourth: Hashable & Sendable
>(
  replaying schedule: Schedule,
  _ body: @escaping @Sendable () async throws -> (First, Second, Third, Fourth)
) throws -> Outcomes<Tuple<First, Second, Third, Fourth>> {
  try outcomes(replaying: schedule) {
    let value = try await body()
    return Tuple(value.0, value.1, value.2, value.3)
  }
}
