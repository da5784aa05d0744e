import ThreadmillHistories

/// Checks that a type does the same for several threads as for one: every call seems to happen at
/// one moment between its begin and its end.
///
/// ```swift
/// @Test func stackIsLinearizable() throws {
///   try linearizable({ Stack<Int>() }) {
///     Operation("push", 1...3) { stack, number in stack.push(number) }
///     Operation("pop") { stack in stack.pop() }
///   }
/// }
/// ```
///
/// From the operations, small scenarios are made, the smallest first: a few threads that make a few
/// calls each on a new object. Each scenario runs under many schedules, as `explore` runs a body.
/// What the calls returned has to be what they return in some order, one after the other, on an
/// object that one thread uses: that is the model. Results are compared with `==` if they have it,
/// else part by part. Operations may throw, wait, and be asynchronous; asynchronous ones run in
/// tasks, others on threads.
///
/// From asynchronous code the call is the same, without `await`.
///
/// - Parameters:
///   - make: makes the object. Each run of a scenario gets a new one. It may be asynchronous.
///   - threads: how many a scenario has at most.
///   - calls: how many a thread makes at most.
///   - scenarios: how many are tried.
///   - schedules: of each scenario, how many are run at most.
///   - consistency: a weaker demand than linearizability.
///   - progress: a demand on calls that are kept from going on.
///   - seed: what chance comes from; the same one leads to the same scenarios and schedules.
///   - replay: the text of ``Counterexample/replay``; only that scenario is run, in that order.
///   - operations: what can be called.
/// - Throws: ``Counterexample``; ``DescriptionError`` if the description is at fault;
///   ``ExplorationError`` where nothing can be explored.
@discardableResult
public func linearizable<Object>(
  _ make: @escaping @Sendable () async throws -> Object,
  threads: Int = 3, calls: Int = 3, scenarios: Int = 100, schedules: Int = 300,
  consistency: Consistency = .linearizable, progress: ProgressGuarantee = .blocking,
  seed: UInt64 = 1,
  replaying replay: String? = nil,
  @OperationsBuilder<Object, Never> _ operations: () -> [DescribedOperation<Object, Never>]
) throws -> Linearizability {
  let demand = Demand(
    threads: threads, calls: calls, scenarios: scenarios, schedules: schedules,
    consistency: consistency, progress: progress, seed: seed, replay: replay)
  return try checked(make, operations(), demand)
}

/// The same with a model: a value that says what each operation returns, in the place of an object
/// that one thread uses.
///
/// ```swift
/// try linearizable({ Stack<Int>() }, model: [Int]()) {
///   Operation("push", 1...3) { $0.push($1) } model: { $0.append($1) }
///   Operation("pop") { $0.pop() } model: { $0.popLast() }
/// }
/// ```
///
/// - Parameter model: the state to begin with.
@discardableResult
public func linearizable<Object, Model: Hashable & Sendable>(
  _ make: @escaping @Sendable () async throws -> Object, model: Model,
  threads: Int = 3, calls: Int = 3, scenarios: Int = 100, schedules: Int = 300,
  consistency: Consistency = .linearizable, progress: ProgressGuarantee = .blocking,
  seed: UInt64 = 1,
  replaying replay: String? = nil,
  @OperationsBuilder<Object, Model> _ operations: () -> [DescribedOperation<Object, Model>]
) throws -> Linearizability {
  let demand = Demand(
    threads: threads, calls: calls, scenarios: scenarios, schedules: schedules,
    consistency: consistency, progress: progress, seed: seed, replay: replay)
  return try checked(make, model, operations(), demand)
}
