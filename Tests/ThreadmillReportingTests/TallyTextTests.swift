import Testing
import ThreadmillModel
import ThreadmillReporting

@Suite struct TallyTextTests {
  /// Wilson's bounds for 2 and 100 of 100 are 0.55 % to 7.00 % and 96.30 % to 100 %.
  @Test func eachSightHasItsShareAndItsFirstRun() {
    var tally = Tally()
    let always = Tally.Sight(key: "a", title: "Data race on 8 bytes")
    let rarely = Tally.Sight(key: "b", title: "Lock order cycle\nL1 → L2")
    for number in 1...100 {
      let run = Tally.Run(
        number: number, policy: number == 1 ? .off : .nearMiss,
        seed: number == 1 ? nil : Seed(rawValue: UInt64(number)))
      tally.add(run, showing: number % 50 == 7 ? [rarely, always] : [always])
    }
    #expect(
      TallyText(tally, noun: "run").text == """
        Threadmill: seen in 100 runs, with the range of the true rate (95% confidence)
          100 of 100  96.3% to 100.0%  first: run 1                     Data race on 8 bytes
          2 of 100    0.6% to 7.0%     first: run 7, near-miss, seed 7  Lock order cycle\\u{A}L1 → L2

        """)
  }

  @Test func nothingSeenIsNothingSaid() {
    var tally = Tally()
    tally.add(Tally.Run(number: 1, policy: .off, seed: nil), showing: [])
    #expect(TallyText(tally, noun: "run").text == "")
  }

  @Test func thePortfolioTellsWhatItDid() {
    let outcomes = [
      PolicyOutcome(policy: .heavy, runs: 6, newPairs: 40),
      PolicyOutcome(policy: .nearMiss, runs: 2, newPairs: 1),
      PolicyOutcome(policy: .light, runs: 1, newPairs: 0),
      PolicyOutcome(policy: .starve, runs: 0, newPairs: 0),
    ]
    let coverage = JitterCoverage(lockPairs: 1, threadPairs: 40)
    #expect(
      PortfolioText(outcomes, coverage: coverage).text == """
        Threadmill: 1 pair of locks seen, one taken inside the other, and 40 pairs of threads, \
        one after the other on one object
          heavy      6 runs  66.7%  40 new pairs
          near-miss  2 runs  22.2%  1 new pair
          light      1 run   11.1%  0 new pairs

        """)
  }
}
