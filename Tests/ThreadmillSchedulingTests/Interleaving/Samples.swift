import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling

extension Program {
  static func independent(_ lengths: Int...) -> Program { independent(lengths) }

  /// Strands with so many steps each, that have nothing to do with one another.
  static func independent(_ lengths: [Int]) -> Program {
    Program(
      "independent", cells: lengths.map { _ in 0 },
      strands: lengths.enumerated().map { cell, length in
        Array(repeating: .write(.constant(cell), 1), count: length)
      })
  }

  /// Two strands add to one cell by reading and writing, with other steps around it.
  static func lostUpdate(padding: Int = 0) -> Program {
    let around: [Instruction] = Array(repeating: .write(1, 0), count: padding)
    let update: [Instruction] = [.read(0, into: 0), .add(0, 1), .write(0, .register(0))]
    return Program(
      "lost-update", cells: [0, 0], strands: [around + update + around, around + update + around]
    ) { $0[0] == 2 }
  }

  /// What is missing is looked up in one locked step, made, and stored in another.
  static let checkThenAct: Program = {
    let lookUp: [Instruction] = [
      .lock(0), .read(0, into: 0), .unlock(0), .skipIf(.register(0), .unequal, 0, 7),
      .read(1, into: 1), .add(1, 1), .write(1, .register(1)),
      .lock(0), .write(0, 1), .unlock(0), .yield,
    ]
    return Program(
      "check-then-act", cells: [0, 0], mutexes: 1, strands: [lookUp, lookUp, lookUp]
    ) { $0[1] == 1 }
  }()

  /// Jobs of an actor, which exclude one another: a balance is checked in one and drawn on in the
  /// next.
  static let reentrancy: Program = {
    let withdraw: [Instruction] = [
      .wait(0), .read(0, into: 0), .signal(0), .skipIf(.register(0), .less, 10, 6),
      .yield, .wait(0), .read(0, into: 0), .add(0, .constant(-10)), .write(0, .register(0)),
      .signal(0),
    ]
    return Program(
      "reentrancy", cells: [10], semaphores: [1], strands: [withdraw, withdraw]
    ) { $0[0] >= 0 }
  }()

  /// One strand starts two others, one of which starts a third.
  static let family = Program(
    "family", cells: [0, 0, 0, 0], started: 1,
    strands: [
      [.spawn(1), .write(0, 1), .spawn(2)], [.write(1, 1), .spawn(3), .write(1, 1)],
      [.write(2, 1), .write(2, 1)], [.write(3, 1)],
    ])

  /// One waits for the other by looking again and again.
  static let spinning = Program(
    "spinning", cells: [0, 0],
    strands: [
      [.read(0, into: 0), .skipIf(.register(0), .equal, 1, 2), .yield, .skip(-4), .write(1, 1)],
      [.write(1, 1), .write(0, 1)],
    ])
}

extension Exploration {
  /// The strands of the steps of the schedule that ran last.
  var order: [UInt32] { recorder.steps.map(\.strand) }

  /// The orders of the next schedules.
  mutating func orders(_ count: Int) -> [[UInt32]] {
    (0..<count).compactMap { _ in next().map { _ in order } }
  }

  /// How many of the next schedules are as asked for.
  mutating func count(of schedules: Int, where isCounted: (Self) -> Bool) -> Int {
    (0..<schedules).count { _ in next() != nil && isCounted(self) }
  }
}

/// A number of successes that has this share of the runs, within `sigmas` standard deviations.
func expected(_ share: Double, of runs: Int, sigmas: Double = 6) -> ClosedRange<Int> {
  let mean = share * Double(runs)
  let reach = sigmas * (mean * (1 - share)).squareRoot()
  return max(0, Int(mean - reach))...Int((mean + reach).rounded(.up))
}
