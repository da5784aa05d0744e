import ThreadmillModel

/// Operations that wait for each other by their dependencies: none of them can start.
package struct OperationCycles: Sendable {
  private var graph = OperationGraph()
  /// The number of ways that were too long to be looked at.
  private var tooLong = 0

  package init() {}

  /// The counts of work that was left undone, by name.
  package var accounting: [String: Int] { ["operationWaysTooLong": tooLong] }

  /// Returns whether a cycle may have been closed; `false` is certain.
  package mutating func depends(_ dependency: OperationDependency) -> Bool {
    graph.add(dependency)
  }

  package mutating func independent(from: LockID, to: LockID) { graph.remove(from: from, to: to) }

  package mutating func retire(_ operation: LockID) { graph.retire(operation) }

  /// Returns the shortest way along dependencies; empty if there is none, or none within the limit.
  package mutating func way(
    from: LockID, to: LockID, limit: Int
  ) -> [OperationDependency] {
    let way = graph.way(from: from, to: to)
    guard way.count <= limit else {
      tooLong += 1
      return []
    }
    return way
  }

  /// Returns the finding about a cycle that Foundation's own lists confirm.
  func cycle(_ event: Happening.OperationsInCycle) -> Finding? {
    let operations = event.operations.map(\.operation)
    guard let first = operations.first else { return nil }
    let rest = event.length - operations.count
    let after = Array(operations.dropFirst()) + (rest > 0 ? [] : [first])
    let clauses = zip(operations, after).map { "\($0.displayName) waits for \($1.displayName)" }
    return Finding(
      kind: .operationCycle, status: .observed, severity: .error,
      title: "Operation cycle: " + clauses.joined(separator: ", ")
        + (rest > 0 ? ", and so on through \(rest + 1) more to the first" : ""),
      participants: zip(event.operations, after).enumerated().map { index, pair in
        participant(event.thread, pair.0, isFirst: index == 0, to: pair.1)
      },
      objects: operations, tests: tests(event.thread, zip(operations, after)))
  }

  /// Returns the part of one dependency in the cycle: the place where it was added. The part of the
  /// first one is the thread that closed the cycle.
  private func participant(
    _ thread: ThreadSnapshot, _ dependent: Happening.OperationsInCycle.Dependent, isFirst: Bool,
    to: SharedObject
  ) -> Finding.Participant {
    let from = dependent.operation
    let role = "makes \(from.displayName) wait for \(to.displayName)"
    guard !isFirst, let dependency = graph.dependency(of: from.id, on: to.id) else {
      return thread.actor(role: role)
    }
    return Finding.Participant(thread: dependency.thread, role: role, frames: dependent.told)
  }

  private func tests(
    _ thread: ThreadSnapshot, _ pairs: Zip2Sequence<[SharedObject], [SharedObject]>
  ) -> [String] {
    let others = pairs.flatMap { graph.dependency(of: $0.id, on: $1.id)?.tests ?? [] }
    return Set(thread.tests + others).sorted()
  }
}
