#if os(Linux)
  import ThreadmillModel

  /// What explorations hand in: the findings of the schedule that runs, and the counts that the
  /// report adds up.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct ExplorationResults {
    var findings = ExploredFindings()
    /// What explorations that tests asked for came to.
    private var counts: [String: Int] = [:]

    mutating func add(_ counts: [String: Int]) { self.counts.merge(counts) { $0 + $1 } }

    /// The counts of the process and those of explorations.
    func accounting(with process: [String: Int]) -> [String: Int] {
      process.merging(counts.filter { $0.value != 0 }) { $0 + $1 }
    }
  }
#endif
