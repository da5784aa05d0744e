#if os(Linux)
  import ThreadmillModel

  /// The wishes of a test for its exploration, for another process that explores it.
  struct ExplorationWork {
    var seed: UInt64
    var schedules: Int
    var strategy: ExplorationStrategy

    init(seed: UInt64, schedules: Int, strategy: ExplorationStrategy) {
      (self.seed, self.schedules, self.strategy) = (seed, schedules, strategy)
    }

    var words: [String] { ["\(seed)", "\(schedules)", strategy.rawValue] }

    /// Reads ``words``; `nil` for anything else.
    init?(_ words: [String]) {
      guard words.count == 3, let seed = UInt64(words[0]), let schedules = Int(words[1]),
        let strategy = ExplorationStrategy(rawValue: words[2])
      else { return nil }
      self.init(seed: seed, schedules: schedules, strategy: strategy)
    }
  }
#endif
