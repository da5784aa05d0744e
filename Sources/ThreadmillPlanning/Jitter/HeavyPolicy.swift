import ThreadmillModel

extension JitterPlan {
  /// Yields, spins and sleeps on a heavy-tailed scale, and every game that a real system is allowed
  /// to play.
  static func heavy(_ seed: Seed) -> JitterPlan {
    var drawing = Drawing(seed, salt: 2)
    var plan = JitterPlan(seed: seed, manners: [heavyManner(&drawing)])
    plan.drawFresh(&drawing)
    return plan
  }

  private static func heavyManner(_ drawing: inout Drawing) -> Manner {
    var manner = Manner()
    for point in [Point.before, .after, .wake] {
      manner.decisions[point] = drawing.table(
        .yield(10), .spin(10, 1...64),
        .sleep(6, 20...5_000))
    }
    for point in [Point.begin, .start] {
      manner.decisions[point] = drawing.table(
        .yield(20), .sleep(30, 50...5_000))
    }
    manner.decisions[.memory] = drawing.table(
      .yield(0.8), .sleep(0.2, 20...1_000))
    manner.drawGames(&drawing)
    return manner
  }

  /// A delay where something happens for the first time is worth most: a second block then gets a
  /// thread of its own, and nobody's first step is always the first.
  ///
  /// The longest delay, in microseconds, differs from plan to plan, because the time that a mistake
  /// needs is not known. In most plans a new thread starts at once. Where it is late or held, fewer
  /// mistakes of two short calls show, but more that need a certain order of whole threads
  /// (`scripts/rates --naive`).
  mutating func drawFresh(_ drawing: inout Drawing) {
    freshTimes = 4
    fresh[.begin] = drawing.table(of: Self.freshChoices, .sleepEvenly(100, 1_000...3_000))
    let longest = 100 << drawing.integer(in: 0...4)
    let start = drawing.integer(in: 0...7)
    holdsThreads = start == 0
    for point in [Point.before, .after, .wake, .start] {
      let sleeps = point == .start && start != 1 ? 0.0 : 50
      fresh[point] = drawing.table(
        of: Self.freshChoices, .yield(100 - sleeps), .sleepEvenly(sleeps, 0...longest))
    }
  }
}

extension JitterPlan.Manner {
  /// Conditions that wake nobody for a reason, and timers that come late.
  mutating func drawGames(_ drawing: inout Drawing) {
    decisions[.spurious] = drawing.table(
      .sleep(10, 20...1_000)
    )
    decisions[.late] = drawing.table(
      .sleep(30, 100...10_000)
    )
  }
}
