import Foundation
import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling

/// The median number of schedules to the first failure, by program and strategy.
enum FirstHits {
  private static let seeds = 100
  private static let mostSchedules = 10_000

  /// - Returns: whether the portfolio is as good as PCT promises to be.
  static func printTable() -> Bool {
    let names = ExplorationStrategy.allCases
    let header = names.map { pad($0 == .uniformRandomWalk ? "uniform" : $0.rawValue) }.joined()
    print(
      "schedules to the first failure: median of \(seeds) seeds (`-`: more than \(mostSchedules))")
    print(pad("program", 18) + header + pad("most") + pad("PCT's bound"))
    var isWell = true
    for program in Program.benchmarks {
      var line = pad(program.name, 18)
      var hits: [Int] = []
      for name in names {
        hits = (0..<seeds).map { firstHit(program, name, UInt64($0)) }.sorted()
        let median = hits[seeds / 2]
        line += pad(median > mostSchedules ? "-" : "\(median)")
      }
      // The last one is the portfolio.
      let bound = medianBound(program)
      if hits[seeds / 2] > bound { isWell = false }
      print(line + pad("\(hits[seeds - 1])") + pad("\(bound)"))
    }
    print("most: of the portfolio, for the worst seed")
    return isWell
  }

  private static func firstHit(_ program: Program, _ name: ExplorationStrategy, _ seed: UInt64)
    -> Int
  {
    let strategy = StrategyPortfolio(name, seed: Seed(rawValue: seed))
    var exploration = Exploration(program, strategy)
    return exploration.firstFailure(within: mostSchedules)?.schedules ?? mostSchedules + 1
  }

  /// The median that PCT stays below if its probability is the one it guarantees: for `n` strands,
  /// `k` steps and depth 2, which is that of most of the mistakes, ln 2 · n · k.
  private static func medianBound(_ program: Program) -> Int {
    var exploration = Exploration(program, RandomWalk(seed: Seed(rawValue: 1)))
    var (steps, strands) = (0, 0)
    for _ in 0..<100 {
      _ = exploration.next()
      steps = max(steps, exploration.recorder.steps.count)
      strands = max(strands, Set(exploration.recorder.steps.map(\.strand)).count)
    }
    return Int(log(2) * Double(strands * steps)) + 1
  }

  static func pad(_ text: String, _ width: Int = 13) -> String {
    text.padding(toLength: max(width, text.count + 1), withPad: " ", startingAt: 0)
  }
}
