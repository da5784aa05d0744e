#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  extension Exploration.Failure {
    /// The same as a finding, for reports: what a detector found, or else what went wrong. With the
    /// schedule.
    package var finding: Finding {
      var finding = detected.first { $0.severity == .error } ?? made
      finding.schedule = schedule.description
      return finding
    }

    private var made: Finding {
      let words = causes.map { "\($0)" }.joined(separator: "; ")
      let isHang = causes.contains { $0.isHang }
      return Finding(
        kind: isHang ? .hang : .assertionFailure, status: .observed,
        title: "In one order of its threads, blocks and tasks the body fails: \(words)")
    }
  }

  extension Exploration.Failure.Cause {
    fileprivate var isHang: Bool {
      switch self {
      case .standstill, .endless: true
      case .error, .expectation, .finding: false
      }
    }
  }
#endif
