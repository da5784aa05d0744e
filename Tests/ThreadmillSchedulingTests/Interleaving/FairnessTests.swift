import Testing
import ThreadmillModel
import ThreadmillScheduling

@Suite struct FairnessTests {
  private static let steps = 4_000
  private static let free = Fairness.free(of: steps)

  /// The strands of a schedule in which the strategy always takes the first one.
  ///
  /// - Parameter enabled: the strands that can go on before a step.
  private func order(_ enabled: (Int) -> [UInt32]) -> [UInt32] {
    var fairness = Fairness(steps: Self.steps)
    fairness.begin()
    return (0..<Self.steps).map { made in
      let offers = enabled(made).map { Offer(strand: $0, .lock) }
      return offers.withUnsafeBufferPointer {
        let strand = $0[fairness.next($0, made: made) ?? 0].strand
        fairness.goes(strand, made: made)
        return strand
      }
    }
  }

  private func runs(_ order: ArraySlice<UInt32>) -> [Int] {
    var runs: [Int] = []
    var last: UInt32?
    for strand in order {
      if strand == last { runs[runs.count - 1] += 1 } else { runs.append(1) }
      last = strand
    }
    return runs
  }

  @Test func theStrategyChoosesAloneAtFirst() {
    let order = order { _ in [0, 1, 2] }
    #expect(order.prefix(Self.free).allSatisfy { $0 == 0 })
  }

  @Test func afterThatEachHasItsTurns() {
    let rest = order { _ in [0, 1, 2] }.dropFirst(Self.free)
    for strand: UInt32 in 0...2 { #expect(rest.count { $0 == strand } >= 900, "\(strand)") }
    #expect(runs(rest).dropLast().allSatisfy { (99...101).contains($0) }, "\(runs(rest))")
  }

  /// A strand that can go on only now and then is due when it can.
  @Test func aStrandThatIsSeldomReadyIsNotForgotten() {
    let order = order { $0.isMultiple(of: 250) ? [0, 1] : [0] }
    let turns = order.indices.filter { order[$0] == 1 }
    #expect(turns == Array(stride(from: Self.free + 250, to: Self.steps, by: 250)))
  }

  /// A strategy that is fair by itself makes all choices.
  @Test func aFairStrategyIsLeftAlone() {
    var fairness = Fairness(steps: Self.steps)
    fairness.begin()
    let offers = [Offer(strand: 0, .lock), Offer(strand: 1, .lock)]
    for made in 0..<Self.steps {
      #expect(offers.withUnsafeBufferPointer { fairness.next($0, made: made) } == nil)
      fairness.goes(UInt32(made / 50 % 2), made: made)
    }
  }
}
