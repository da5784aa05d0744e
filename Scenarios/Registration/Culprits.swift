extension Scenario {
  /// What one finding accuses, in clauses without an order.
  ///
  /// There is a clause for each participant: the innermost of its functions in the scenario's file,
  /// and after an arrow the object that it wants. A participant that is somewhere else is the "work
  /// of" the function that submitted it. If nobody wants an object, what the finding is "about" has
  /// a clause, too. An object has its kind, and its label or the function that made it. Of what an
  /// exploration has found, each thread and task that stands still has a clause, and a wrong result
  /// has what was expected "instead of" it.
  package typealias Accusation = Set<String>

  /// The accusations that this scenario's findings of a kind may make, in any variant and mode; a
  /// finding that makes another one is wrong. The message then has the clauses in this form.
  ///
  /// Each kind that a verdict requires is here. A deadlock accuses what the lock order cycle that
  /// it comes from accuses.
  package var accusations: [String: [Accusation]] {
    var accusations = Self.culprits[id] ?? [:]
    accusations["deadlock"] = accusations["deadlock"] ?? accusations["lockOrderCycle"]
    return accusations
  }

  private static let culprits = raceCulprits.merging(deadlockCulprits) { $1 }
    .merging(otherCulprits) { $1 }
}
