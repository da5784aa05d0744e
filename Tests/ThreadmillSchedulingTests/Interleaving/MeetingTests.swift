import Testing
import ThreadmillModel
import ThreadmillScheduling

/// Explorations that are led to lines of a program.
@Suite struct MeetingTests {
  /// The steps of each strand: the lines that it stands at before each of them.
  private typealias Program = [[UInt16]]

  /// Strands of 60 steps, each with one line: one near its end, and one near its beginning.
  private static let apart: Program = [
    Array(repeating: 0, count: 45) + [1] + Array(repeating: 0, count: 14),
    Array(repeating: 0, count: 5) + [2] + Array(repeating: 0, count: 54),
  ]

  private static let schedules = 100

  /// Runs schedules of a program, and counts those in which strands stood at both lines at the same
  /// time.
  ///
  /// - Parameter others: further strands that can go on as long as the first one has steps left.
  private func run(
    _ program: Program, _ strategy: inout StrategyPortfolio, others: [OperationKind] = [],
    schedules: Int = schedules
  ) -> (met: Int, steps: Int) {
    var (met, steps) = (0, 0)
    for number in 0..<schedules where strategy.begin(schedule: number) {
      var made = Array(repeating: 0, count: program.count)
      var (running, isMet): (UInt32?, Bool) = (nil, false)
      while let offers = offers(program, made, others) {
        isMet = isMet || offers.reduce(0) { $0 | $1.lines } == 3
        let before = offers.firstIndex { $0.strand == running }
        let chosen = offers.withUnsafeBufferPointer { strategy.next($0, running: before) }
        let strand = offers[chosen].strand
        if strand < program.count { made[Int(strand)] += 1 }
        running = strand
        steps += 1
      }
      met += isMet ? 1 : 0
      strategy.ended(.completed)
    }
    return (met, steps)
  }

  /// The steps that can be made after a number of steps of each strand; `nil` at the end.
  private func offers(
    _ program: Program, _ made: [Int], _ others: [OperationKind]
  ) -> [Offer]? {
    let own = program.indices.filter { made[$0] < program[$0].count }.map { strand in
      Offer(
        strand: UInt32(strand), .lock, object: UInt64(strand + 1),
        lines: program[strand][made[strand]])
    }
    if own.isEmpty { return nil }
    guard made[0] < program[0].count else { return own }
    return own
      + others.enumerated().map { Offer(strand: UInt32(program.count + $0.offset), $0.element) }
  }

  private func strategy(_ name: ExplorationStrategy, lines: Int) -> StrategyPortfolio {
    StrategyPortfolio(name, seed: Seed(rawValue: 5), lines: lines)
  }

  /// Three schedules of four are led, and in half of these each strand is held where it first comes
  /// to its line: 37 of 100 on average. The seed is fixed.
  @Test(arguments: ExplorationStrategy.allCases.filter { $0 != .exhaustive })
  func strandsMeet(_ name: ExplorationStrategy) {
    var led = strategy(name, lines: 2)
    let (met, _) = run(Self.apart, &led)
    #expect(met >= 25)
    #expect(led.meetings.met == met)
    #expect(led.meetings.arrivals == [Self.schedules, Self.schedules])
  }

  @Test func aRandomWalkThatIsNotLedMissesThem() {
    var free = strategy(.randomWalk, lines: 0)
    #expect(run(Self.apart, &free).met <= 1)
  }

  @Test func aSingleLineIsMetByTwo() {
    let program = Self.apart.map { $0.map { $0 == 0 ? 0 : 1 as UInt16 } }
    var led = strategy(.randomWalk, lines: 1)
    _ = run(program, &led)
    #expect(led.meetings.met >= 25 && led.meetings.arrivals == [Self.schedules])
    // One strand alone meets nobody.
    var alone = strategy(.randomWalk, lines: 1)
    _ = run([program[0]], &alone)
    #expect(alone.meetings.met == 0 && alone.meetings.arrivals == [Self.schedules])
  }

  /// Two strands at one line leave the other line without anybody.
  @Test func eachLineNeedsAStrandOfItsOwn() {
    var led = strategy(.randomWalk, lines: 2)
    _ = run([[0, 3, 0], [0, 0, 0]], &led)
    #expect(led.meetings.met == 0)
    var other = strategy(.randomWalk, lines: 2)
    _ = run([[0, 3, 0], [0, 1, 0]], &other)
    #expect(other.meetings.met > 50)
  }

  @Test func heldStrandsGoOnIfNobodyElseCan() {
    var led = strategy(.randomWalk, lines: 2)
    let (_, steps) = run([[0, 1, 0, 1], [1, 1, 1]], &led)
    #expect(steps == 7 * Self.schedules)
    #expect(led.meetings.met == 0 && led.meetings.arrivals == [Self.schedules, 0])
  }

  /// The first strand is held, and another one waits in a loop for its end. If that one gives up
  /// its turn, it holds nobody up; else it does so for a limited number of steps.
  @Test func aLoopDoesNotHoldAStrandForEver() {
    var yielding = strategy(.randomWalk, lines: 2)
    #expect(run([[0, 1, 0]], &yielding, others: [.yield]).steps < 20 * Self.schedules)
    var busy = strategy(.randomWalk, lines: 2)
    #expect(run([[0, 1, 0]], &busy, others: [.lock], schedules: 8).steps < 8 * 10_100)
  }

  /// The exhaustive search sees all strands at every step.
  @Test func theExhaustiveSearchIsNotLed() {
    let program: Program = [[0, 1, 0], [2, 0, 0]]
    var (free, led) = (strategy(.exhaustive, lines: 0), strategy(.exhaustive, lines: 2))
    let (counted, other) = (run(program, &free), run(program, &led))
    #expect(counted.steps == other.steps && counted.met == other.met)
    #expect(free.coverage == .complete && led.coverage == .complete)
    #expect(led.meetings.met == other.met)
  }
}
