#if os(Linux)
  import ThreadmillModel
  import ThreadmillScheduling

  // Whether a failure is one of an order, or of what earlier runs in the process have left.
  extension Explorer {
    /// So many orders are tried.
    static let orders = 1 + 2 * walks
    private static let walks = 16

    /// Whether the body fails in orders that have little in common: in the usual one, where each
    /// strand goes on as long as it can; where strands go on in the order of random priorities; and
    /// where any one goes at each step.
    func failsInEveryOrder() throws -> Bool {
      let seed = Seed(rawValue: seed)
      return try failsAlways(Steered(SwitchPlan()), times: 1)
        && failsAlways(PCT(depth: 1, seed: seed), times: Self.walks)
        && failsAlways(RandomWalk(seed: seed), times: Self.walks)
    }

    private func failsAlways<Choice: Strategy>(_ strategy: Choice, times: Int) throws -> Bool {
      var failures = 0
      _ = try run(strategy) { _, outcome in
        guard !outcome.causes.isEmpty else { return false }
        failures += 1
        return failures < times
      }
      return failures == times
    }
  }

  extension Exploration.Failure {
    /// Whether the failure is one that a body may have because it has run before: an expectation or
    /// an error in one of the first schedules, or a standstill after a run that had none.
    func mayBeOfAnEarlierRun(hasPassed: Bool) -> Bool {
      number <= 2
        && causes.allSatisfy { cause in
          switch cause {
          case .error, .expectation: true
          case .standstill: hasPassed || number == 2
          default: false
          }
        }
    }
  }
#endif
