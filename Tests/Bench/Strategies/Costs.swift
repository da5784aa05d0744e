import Foundation
import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling

/// What a strategy takes at a point, and for a schedule.
enum Costs {
  private static let threads: UInt32 = 4
  private static let stepsPerThread = 1_000
  /// Of the 1,000,000 points a second a strategy may take a quarter.
  private static let mostNanoseconds = 250.0

  /// - Returns: whether all are within the limit.
  static func printTable() -> Bool {
    print("what a strategy costs")
    let columns = ["strategy", "ns a point", "schedules/s of abba on the machine"]
    print(columns.enumerated().map { FirstHits.pad($1, $0 == 0 ? 22 : 13) }.joined())
    var isWell = true
    for name in ExplorationStrategy.allCases {
      let point = nanosecondsPerPoint(name)
      if point > mostNanoseconds { isWell = false }
      let cells = [String(format: "%.1f", point), "\(Int(schedulesPerSecond(name)))"]
      print(FirstHits.pad(name.rawValue, 22) + cells.map { FirstHits.pad($0) }.joined())
    }
    return isWell
  }

  /// Four strands of a thousand steps each, all of them enabled as long as they have steps left.
  private static func nanosecondsPerPoint(_ name: ExplorationStrategy) -> Double {
    var strategy = StrategyPortfolio(name, seed: Seed(rawValue: 1))
    var points = 0
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<300 where strategy.begin(schedule: number) {
      points += runThrough(&strategy)
      strategy.ended(.completed)
    }
    return (clock.now - start) / .nanoseconds(1) / Double(points)
  }

  private static func runThrough(_ strategy: inout StrategyPortfolio) -> Int {
    var offers = (0..<threads).map { Offer(strand: $0, .lock, object: UInt64($0) + 1) }
    var left = Array(repeating: stepsPerThread, count: Int(threads))
    var points = 0
    var last: UInt32?
    while !offers.isEmpty {
      let running = last.flatMap { last in offers.firstIndex { $0.strand == last } }
      let chosen = offers.withUnsafeBufferPointer { strategy.next($0, running: running) }
      let strand = offers[chosen].strand
      last = strand
      points += 1
      left[Int(strand)] -= 1
      if left[Int(strand)] == 0 { offers.remove(at: chosen) }
    }
    return points
  }

  private static func schedulesPerSecond(_ name: ExplorationStrategy) -> Double {
    let strategy = StrategyPortfolio(name, seed: Seed(rawValue: 1))
    var exploration = Exploration(.abba, strategy)
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<50_000 where exploration.next() == nil { break }
    return Double(exploration.schedules) / ((clock.now - start) / .seconds(1))
  }
}
