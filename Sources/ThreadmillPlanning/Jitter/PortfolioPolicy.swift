import ThreadmillModel

extension JitterPlan {
  /// Each strand follows one of the other policies, by its path, as nobody knows beforehand which
  /// one finds what is there; the delays at new places are everybody's.
  static func portfolio(_ seed: Seed) -> JitterPlan {
    var drawing = Drawing(seed, salt: 6)
    let parts = [light(seed), heavy(seed), starve(seed), priority(seed), nearMiss(seed)]
    var plan = JitterPlan(seed: seed, manners: parts.flatMap(\.manners))
    for manner in plan.manners.indices where plan.manners[manner].decisions[.spurious] == nil {
      plan.manners[manner].drawGames(&drawing)
    }
    plan.drawFresh(&drawing)
    plan.drawWindows(&drawing)
    plan.drawRanks(&drawing)
    return plan
  }
}
