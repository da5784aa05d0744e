#if os(Linux)
  import ThreadmillModel

  /// The results of explorations: the findings of the schedule that runs, and the counts that the
  /// report adds up.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct ExplorationResults {
    var findings = ExploredFindings()
    /// The sums of the counts of explorations that tests asked for, by name.
    private var counts: [String: Int] = [:]

    /// What the explorations of tests have covered.
    private(set) var tests: [ExploredTest] = []

    mutating func add(_ explored: ExploredTest?, _ counts: [String: Int]) {
      self.counts.merge(counts) { $0 + $1 }
      if let explored { tests = ExploredTest.merged(tests + [explored]) }
    }

    /// Returns the counts of the process and those of explorations.
    func accounting(with process: [String: Int]) -> [String: Int] {
      process.merging(counts.filter { $0.value != 0 }) { $0 + $1 }
    }
  }
#endif
