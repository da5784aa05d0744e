import ThreadmillModel

extension JitterPlan {
  /// A rank for each strand by chance, and a few points at which whoever is there becomes the last:
  /// PCT (Burckhardt et al.: A randomized scheduler with probabilistic guarantees of finding bugs,
  /// ASPLOS 2010).
  ///
  /// It differs in that nobody is kept from running: a strand is delayed at each operation, the
  /// longer the lower its rank, which puts others first without proof. So the paper's bound does
  /// not hold. The length of the run is not known, either: change points are drawn on a scale from
  /// 4 points to 4,096.
  static func priority(_ seed: Seed) -> JitterPlan {
    var drawing = Drawing(seed, salt: 4)
    var manner = Manner()
    manner.ranks = true
    var plan = JitterPlan(seed: seed, manners: [manner])
    plan.drawFresh(&drawing)
    plan.drawRanks(&drawing)
    return plan
  }

  /// Of `d` change points each finds what needs one more ordering; 3 is what the paper needed most.
  mutating func drawRanks(_ drawing: inout Drawing) {
    ranks = (0..<16).map { rank in
      rank < 4 ? .nothing : .sleep(microseconds: 20 << ((rank - 4) / 2))
    }
    changes = (0..<3).map { _ in drawing.heavyTailed(4...4_096) }.inOrder()
  }
}
