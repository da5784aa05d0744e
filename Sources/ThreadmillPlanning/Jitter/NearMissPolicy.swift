import ThreadmillModel

extension JitterPlan {
  /// Learns which operations of two threads on one object came close to each other, and delays one
  /// of them at its next turn: TSVD (Li et al.: Efficient scalable thread-safety-violation
  /// detection, SOSP 2019).
  ///
  /// It differs in what it looks at, operations of the gate and wrapped memory accesses instead of
  /// calls of chosen classes, and in that it does not infer order from delays that spread: a place
  /// at which delays lead to nothing fades all the same.
  static func nearMiss(_ seed: Seed) -> JitterPlan {
    var drawing = Drawing(seed, salt: 5)
    var manner = Manner()
    manner.learns = true
    for point in [Point.before, .after, .begin, .start, .wake] {
      manner.decisions[point] = drawing.table(.yield(10))
    }
    var plan = JitterPlan(seed: seed, manners: [manner])
    plan.drawFresh(&drawing)
    return plan
  }
}
