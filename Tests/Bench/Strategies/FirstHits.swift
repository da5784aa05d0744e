import Foundation
import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling

/// The median number of schedules to the first failure, by program and strategy.
enum FirstHits {
  private static let seeds = 100
  private static let mostSchedules = 10_000

  /// What others needed for the programs of SCTBench that ours are like: the medians of 20 trials
  /// of POS and of PCT with a depth of 3, in the data that belong to D. Wolff, Z. Shi, G. J. Duck,
  /// U. Mathur, A. Roychoudhury, "Greybox Fuzzing for Concurrency Testing", ASPLOS 2024. Infinite
  /// where most trials found nothing. Theirs are whole programs, with points at racing accesses.
  private static let published: [String: (pos: Double, pct: Double)] = [
    "abba": (4, 15.5),  // CS/deadlock01
    "two-locked-calls": (7.5, 146.5),  // CB/stringbuffer-jdk1.4
    "work-stealing": (9, 7.5),  // Chess/WorkStealQueue
    "reorder-4": (641.5, 314),  // CS/reorder_4
    "aba": (.infinity, .infinity),  // SafeStack
    "bounded-buffer": (4.5, 7),  // Inspect_benchmarks/boundedBuffer
    "two-stage": (9, 7),  // CS/twostage
    "account": (1, 6),  // CS/account
    "lazy": (4.5, 10),  // CS/lazy01
  ]

  /// - Returns: whether the portfolio is as good as PCT promises to be, and as PCT or POS was for
  ///   others.
  static func printTable() -> Bool {
    let names = ExplorationStrategy.allCases
    let header = names.map { pad($0 == .uniformRandomWalk ? "uniform" : $0.rawValue) }.joined()
    print(
      "schedules to the first failure: median of \(seeds) seeds (`-`: more than \(mostSchedules))")
    print(
      pad("program", 18) + header + pad("most") + pad("PCT's bound") + "published POS / PCT")
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
      let others = published[program.name]
      let limit = others.map { min(Double(bound), max($0.pos, $0.pct)) } ?? Double(bound)
      if Double(hits[seeds / 2]) > limit { isWell = false }
      print(
        line + pad("\(hits[seeds - 1])") + pad("\(bound)")
          + (others.map { "\(text($0.pos)) / \(text($0.pct))" } ?? ""))
    }
    print("most: of the portfolio, for the worst seed")
    print("published: medians of others for programs like these (D. Wolff et al., ASPLOS 2024)")
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

  private static func text(_ median: Double) -> String {
    median == .infinity ? "-" : median.formatted()
  }

  static func pad(_ text: String, _ width: Int = 13) -> String {
    text.padding(toLength: max(width, text.count + 1), withPad: " ", startingAt: 0)
  }
}
