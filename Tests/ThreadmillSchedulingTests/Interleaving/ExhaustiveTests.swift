import Testing
import ThreadmillMachine
import ThreadmillModel
import ThreadmillScheduling

@Suite struct ExhaustiveTests {
  /// What a search came to: its orders by level, and what it says of itself.
  private struct Search {
    var orders: [[UInt32]] = []
    var levels: [Int: Int] = [:]
    var failing: [Int: Int] = [:]
    var coverage = Exhaustive.Coverage.open
    var longest = 0
    var strategy: Exhaustive
  }

  private func search(
    _ program: Program, bound: Int? = nil, mostPlaces: Int = Exhaustive.mostPlaces
  ) -> Search {
    let strategy = Exhaustive(bound: bound, mostPlaces: mostPlaces)
    var exploration = Exploration(program, strategy)
    var search = Search(strategy: strategy)
    while let end = exploration.next() {
      #expect(exploration.strategy.coverage == .open)
      search.orders.append(exploration.order)
      search.levels[exploration.strategy.level, default: 0] += 1
      if end.outcome == .failed { search.failing[exploration.strategy.level, default: 0] += 1 }
    }
    search.strategy = exploration.strategy
    search.coverage = exploration.strategy.coverage
    return search
  }

  private func choose(_ n: Int, _ k: Int) -> Int {
    k < 0 || k > n ? 0 : (0..<k).reduce(1) { $0 * (n - $1) / ($1 + 1) }
  }

  @Test(arguments: [([3, 3], 20), ([4, 2], 15), ([2, 2, 2], 90), ([1, 2, 3], 60), ([5], 1)])
  func independentStepsHaveAsManyOrdersAsArithmeticSays(lengths: [Int], count: Int) {
    let program = Program.independent(lengths)
    let search = search(program)
    let twin = Enumeration(program)
    #expect(search.orders.count == count)
    #expect(Set(search.orders) == twin.orders)
    #expect(search.levels == twin.schedules)
    #expect(search.coverage == .complete)
  }

  /// Of two strands with `a` and `b` steps in `t` turns, `t - 2` are forced: all switches but the
  /// one after which the strand that is left has nothing more to do.
  @Test func everyBoundHasAsManyAsArithmeticSays() {
    let (a, b) = (4, 3)
    let exactly = (0...6).map { forced in
      let turns = forced + 2
      let (more, fewer) = ((turns + 1) / 2, turns / 2)
      return choose(a - 1, more - 1) * choose(b - 1, fewer - 1)
        + choose(a - 1, fewer - 1) * choose(b - 1, more - 1)
    }
    #expect(exactly.reduce(0, +) == choose(a + b, a))
    for bound in 0...6 {
      let search = search(.independent(a, b), bound: bound)
      #expect(search.orders.count == exactly[...bound].reduce(0, +))
      #expect(Set(search.orders).count == search.orders.count)
      let isAll = exactly[(bound + 1)...].allSatisfy { $0 == 0 }
      #expect(search.coverage == (isAll ? .complete : .bounded(forcedSwitches: bound)))
    }
  }

  @Test(arguments: [
    Program.abba, .lostUpdate(), .lostUpdate(padding: 1), .twoLockedCalls, .aba, .family, .lazy,
    .account,
  ])
  func itIsTheSameAsTheNaiveTwin(program: Program) {
    let search = search(program)
    let twin = Enumeration(program)
    #expect(Set(search.orders).count == search.orders.count)
    #expect(Set(search.orders) == twin.orders)
    #expect(search.levels == twin.schedules)
    #expect(search.failing == twin.failing)
    #expect(search.coverage == .complete)
  }

  /// The orders of a loop that spins never end; those within a bound do.
  @Test func aLoopThatSpinsEndsWithinEveryBound() {
    var counts: [Int] = []
    for bound in 0...3 {
      let search = search(.spinning, bound: bound)
      #expect(Set(search.orders).count == search.orders.count)
      #expect(search.coverage == .bounded(forcedSwitches: bound))
      counts.append(search.orders.count)
    }
    #expect(counts == counts.sorted() && Set(counts).count == 4)
    // Also the strand can go on that gave its turn up.
    let orders = self.search(.spinning, bound: 1).orders
    #expect(orders.contains { $0.starts(with: [0, 0, 0]) })
  }

  @Test func whatDoesNotFitIsCountedAndNotCovered() {
    let search = search(.independent(4, 4), mostPlaces: 4)
    #expect(search.coverage == .open)
    #expect(search.strategy.dropped > 0)
    #expect(search.orders.count < 70)
    #expect(Set(search.orders).count == search.orders.count)
  }

  /// A program that gets shorter from run to run cannot be covered.
  @Test func anotherProgramThanBeforeIsNoticed() {
    var strategy = Exhaustive()
    var length = 8
    for number in 0..<100 where strategy.begin(schedule: number) {
      for _ in 0..<length {
        let offers = [Offer(strand: 0, .write, object: 1), Offer(strand: 1, .write, object: 1)]
        offers.withUnsafeBufferPointer { _ = strategy.next($0, running: 0) }
      }
      strategy.ended(.completed)
      length = max(1, length - 1)
    }
    #expect(strategy.mismatches > 0)
    #expect(strategy.coverage == .open)
  }

  @Test func theEndStaysTheEnd() {
    var exploration = Exploration(.independent(1, 1), Exhaustive())
    #expect(exploration.orders(5) == [[0, 1], [1, 0]])
    #expect(exploration.next() == nil && exploration.next() == nil)
    #expect(exploration.strategy.coverage == .complete)
  }
}
