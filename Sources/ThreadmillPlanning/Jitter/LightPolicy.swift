import ThreadmillModel

extension JitterPlan {
  /// Yields and short spins only: nothing takes longer than on a machine with one more program.
  static func light(_ seed: Seed) -> JitterPlan {
    var drawing = Drawing(seed, salt: 1)
    var manner = Manner()
    for point in [Point.before, .after, .begin, .start, .wake] {
      manner.decisions[point] = drawing.table(
        .yield(25), .spin(5, 1...16))
    }
    manner.decisions[.memory] = drawing.table(.yield(1))
    return JitterPlan(seed: seed, manners: [manner])
  }
}
