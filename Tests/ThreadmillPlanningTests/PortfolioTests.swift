import Testing
import ThreadmillModel
import ThreadmillPlanning

@Suite struct PortfolioTests {
  /// Runs it on synthetic arms: how often each was taken.
  ///
  /// - Parameter reward: new pairs and seconds of a run, by policy and number.
  private func play(
    _ runs: Int, seed: UInt64 = 1,
    reward: (JitterPolicy, _ number: Int) -> (newPairs: Int, seconds: Double)
  ) -> (portfolio: Portfolio, choices: [JitterPolicy]) {
    var portfolio = Portfolio(seed: Seed(rawValue: seed))
    var choices: [JitterPolicy] = []
    for number in 0..<runs {
      let policy = portfolio.next()
      choices.append(policy)
      let (newPairs, seconds) = reward(policy, number)
      portfolio.reward(policy, newPairs: newPairs, seconds: seconds)
      #expect(abs(portfolio.shares.reduce(0, +) - 1) < 1e-9)
      #expect(portfolio.shares.allSatisfy { $0 >= Portfolio.leastShare - 1e-9 })
    }
    return (portfolio, choices)
  }

  private func share(of policy: JitterPolicy, in choices: some Sequence<JitterPolicy>) -> Double {
    let choices = Array(choices)
    return Double(choices.count { $0 == policy }) / Double(choices.count)
  }

  @Test func everyPolicyIsTriedFirst() {
    let (portfolio, choices) = play(Portfolio.policies.count) { _, _ in (1, 1) }
    #expect(choices == Portfolio.policies)
    #expect(portfolio.outcomes.map(\.runs) == [1, 1, 1, 1, 1])
    #expect(Set(Portfolio.policies) == Set(JitterPolicy.allCases).subtracting([.off, .portfolio]))
  }

  @Test func whatFindsNothingIsSharedEqually() {
    let (portfolio, _) = play(20) { _, _ in (0, 1) }
    #expect(portfolio.shares == Array(repeating: 0.2, count: 5))
  }

  /// One arm alone finds what is new: it gets all but the least share of the four others, 0.6.
  ///
  /// Of 1,000 draws with that chance fewer than 500 or more than 700 come once in 10^9 seeds
  /// (Hoeffding: 2·exp(-2·1000·0.1²) = 4·10^-9); the seed is fixed.
  @Test(arguments: Portfolio.policies)
  func itShiftsToWhatFindsMore(_ best: JitterPolicy) {
    let (portfolio, choices) = play(1_005) { policy, _ in (policy == best ? 3 : 0, 1) }
    let index = Portfolio.policies.firstIndex(of: best) ?? 0
    #expect(abs(portfolio.shares[index] - 0.6) < 1e-9)
    #expect((0.5...0.7).contains(share(of: best, in: choices.dropFirst(5))))
    let outcome = portfolio.outcomes[index]
    #expect(outcome.newPairs == 3 * outcome.runs)
    #expect(portfolio.outcomes.reduce(0) { $0 + $1.runs } == 1_005)
  }

  /// Half the time is twice the gain.
  @Test func timeCounts() {
    let (portfolio, _) = play(5) { policy, _ in
      switch policy {
      case .heavy: (4, 2)
      case .light: (4, 4)
      default: (0, 1)
      }
    }
    let shares = Dictionary(uniqueKeysWithValues: zip(Portfolio.policies, portfolio.shares))
    #expect(abs((shares[.heavy] ?? 0) - (0.1 + 0.5 * 2 / 3)) < 1e-9)
    #expect(abs((shares[.light] ?? 0) - (0.1 + 0.5 / 3)) < 1e-9)
  }

  /// Once the best has nothing new to show, another one becomes the best.
  @Test func whatIsOverFades() {
    let (portfolio, choices) = play(400) { policy, number in
      switch policy {
      case .heavy: (number < 100 ? 20 : 0, 1)
      case .starve: (2, 1)
      default: (0, 1)
      }
    }
    #expect(share(of: .heavy, in: choices[..<100]) > share(of: .starve, in: choices[..<100]))
    #expect(share(of: .starve, in: choices[200...]) > share(of: .heavy, in: choices[200...]))
    let starve = Portfolio.policies.firstIndex(of: .starve) ?? 0
    #expect(portfolio.shares[starve] > 0.55)
  }

  @Test func theSeedMakesTheChoices() {
    let play = { (seed: UInt64) in
      self.play(100, seed: seed) { policy, number in (policy == .light ? number : 1, 1) }.choices
    }
    #expect(play(5) == play(5))
    #expect(play(5) != play(6))
  }

  @Test func aRunWithoutTimeIsNoAccident() {
    let (portfolio, _) = play(50) { policy, _ in (policy == .light ? 1 : 0, 0) }
    #expect(portfolio.shares.allSatisfy { $0.isFinite })
  }
}
