import ThreadmillHistories

/// A demand on calls that are kept from going on: M. Herlihy, N. Shavit, "On the Nature of
/// Progress", OPODIS 2011.
@nonexhaustive
public enum ProgressGuarantee: String, CaseIterable, Sendable {
  /// None: a call may wait for another one.
  case blocking
  /// A call that runs alone comes to its end, wherever all others stand.
  case obstructionFree
  /// Some call comes to its end, wherever others stand.
  case lockFree
}

/// The demands on a type, and the effort to find a counter-example.
struct Demand: Sendable {
  var threads: Int
  var calls: Int
  var scenarios: Int
  var schedules: Int
  var consistency: Consistency
  var progress: ProgressGuarantee
  var seed: UInt64
  var replay: String?
}

// The parts of a check that a description decides.
#if os(Linux)
  func checked<Object>(
    _ make: @escaping @Sendable () async throws -> Object,
    _ operations: [DescribedOperation<Object, Never>], _ demand: Demand
  ) throws -> Linearizability {
    let caller = Caller(make: make, operations: operations)
    return try LinearizabilityCheck(
      caller, PathModel(operations: operations.count), demand
    ).run()
  }

  /// Checks the given scenarios alone, as is done to measure what that takes.
  package func linearizable<Object>(
    _ make: @escaping @Sendable () async throws -> Object, in plans: [CallPlan], schedules: Int,
    @OperationsBuilder<Object, Never> _ operations: () -> [DescribedOperation<Object, Never>]
  ) throws -> Linearizability {
    let demand = Demand(
      threads: 2, calls: 1, scenarios: plans.count, schedules: schedules,
      consistency: .linearizable, progress: .blocking, seed: 1)
    let caller = Caller(make: make, operations: operations())
    return try LinearizabilityCheck(
      caller, PathModel(operations: caller.operations.count), demand
    ).run(plans)
  }

  func checked<Object, Model: Hashable>(
    _ make: @escaping @Sendable () async throws -> Object, _ model: Model,
    _ operations: [DescribedOperation<Object, Model>], _ demand: Demand
  ) throws -> Linearizability {
    let caller = Caller(make: make, operations: operations)
    let cancelled = Answer { throw CancellationError() }
    let value = ValueModel(model, operations: operations.count, cancelled: cancelled) {
      let answer = operations[$0.operation].model?(&$1, $0.argument)
      return answer?.error is WaitsForever ? nil : answer
    }
    return try LinearizabilityCheck(caller, value, demand).run()
  }
#else
  func checked<Object>(
    _ make: @escaping @Sendable () async throws -> Object,
    _ operations: [DescribedOperation<Object, Never>], _ demand: Demand
  ) throws -> Linearizability { throw ExplorationError.notWatched }

  func checked<Object, Model>(
    _ make: @escaping @Sendable () async throws -> Object, _ model: Model,
    _ operations: [DescribedOperation<Object, Model>], _ demand: Demand
  ) throws -> Linearizability { throw ExplorationError.notWatched }
#endif
