import Testing
import ThreadmillModel

@Suite struct WilsonIntervalTests {
  /// Against the roots of Wilson's own equation: at the ends of the interval, what was seen is
  /// exactly the quantile's number of deviations away.
  @Test(arguments: [(1, 1), (0, 5), (3, 10), (33, 60), (99, 100), (200, 200), (9_900, 10_000)])
  func itsEndsSolveTheEquation(_ successes: Int, _ runs: Int) {
    let interval = WilsonInterval(successes: successes, of: runs)
    let seen = Double(successes) / Double(runs)
    for end in [interval.low, interval.high] {
      let distance = (seen - end) * (seen - end)
      let allowed = 1.959963984540054 * 1.959963984540054 * end * (1 - end) / Double(runs)
      #expect(abs(distance - allowed) < 1e-12)
    }
    #expect(interval.low <= seen && seen <= interval.high)
  }

  /// Figures worked out by another program.
  @Test func itIsWhatOthersCompute() {
    let half = WilsonInterval(successes: 33, of: 60)
    #expect(abs(half.low - 0.4249) < 0.0001 && abs(half.high - 0.6691) < 0.0001)
    let all = WilsonInterval(successes: 10, of: 10)
    #expect(abs(all.low - 0.7225) < 0.0001 && all.high == 1)
  }

  @Test func theEndsAreExact() {
    #expect(WilsonInterval(successes: 0, of: 7).low == 0)
    #expect(WilsonInterval(successes: 7, of: 7).high == 1)
    let nothing = WilsonInterval(successes: 0, of: 0)
    #expect(nothing.low == 0 && nothing.high == 1)
  }

  @Test func moreRunsMakeItNarrower() {
    let widths = [10, 100, 1_000].map { runs in
      let interval = WilsonInterval(successes: runs / 2, of: runs)
      return interval.high - interval.low
    }
    #expect(widths == widths.sorted(by: >))
  }
}
