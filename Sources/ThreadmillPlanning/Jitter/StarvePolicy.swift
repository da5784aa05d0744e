import ThreadmillModel

extension JitterPlan {
  /// A few strands do not go on for a while, again and again, for ever longer: the chaos mode of
  /// rr (O'Callahan: "Introducing rr chaos mode", 2016), where the windows are drawn over time;
  /// here they begin at points, so that they come where something happens.
  ///
  /// The gate shortens a window that would make all of them more than a fifth of the time.
  static func starve(_ seed: Seed) -> JitterPlan {
    var drawing = Drawing(seed, salt: 3)
    var manner = Manner()
    manner.starves = true
    for point in [Point.before, .after, .begin, .start, .wake] {
      manner.decisions[point] = drawing.table(.yield(10))
    }
    var plan = JitterPlan(seed: seed, manners: [manner])
    plan.drawFresh(&drawing)
    plan.drawWindows(&drawing)
    return plan
  }

  /// From 1 ms doubling to 2 s, four times over.
  mutating func drawWindows(_ drawing: inout Drawing) {
    var begins = 0
    for _ in 0..<4 {
      for power in 0..<12 {
        begins += drawing.integer(in: 4...124)
        let microseconds = min(1_000 << power, 2_000_000)
        windows.append(
          Window(begins: begins, microseconds: microseconds, salt: drawing.number()))
      }
    }
    windowPeriod = begins + drawing.integer(in: 4...124)
    starved = 96
  }
}
