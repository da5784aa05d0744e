#if os(Linux)
  import ThreadmillModel

  /// The cycles to try out at the end of this process, and how to start another process for that.
  struct Confirmation {
    private let seed: Seed
    private let start = ProcessStart.capture()
    private let began = ContinuousClock.now
    /// The name of a test on XCTest's command line, by its name in findings.
    var identifiers: [String: String] = [:]
    /// The cycles, one for each fingerprint.
    private(set) var cycles: [Finding] = []
    private var fingerprints: Set<String> = []

    init(seed: Seed) { self.seed = seed }

    mutating func note(_ finding: Finding) {
      guard CycleTrials.canConfirm(finding) else { return }
      if fingerprints.insert(finding.fingerprint).inserted { cycles.append(finding) }
    }

    var announcement: String {
      let what = cycles.count == 1 ? "a lock order cycle" : "\(cycles.count) lock order cycles"
      return "threadmill: starting the program again to confirm \(what)\n"
    }

    /// How `cycle` is tried out.
    func trials(for cycle: Finding) -> CycleTrials {
      let selection = TestSelection(arguments: start.arguments)
      return CycleTrials(
        seed: seed,
        arguments: selection?.arguments(only: cycle.tests, identifiers: identifiers)
          ?? start.arguments,
        environment: Self.quiet(start.environment), folder: start.folder,
        patience: (ContinuousClock.now - began) * 2 + .seconds(2))
    }

    /// Thread Sanitizer has said what it had to say.
    private static func quiet(_ environment: [String]) -> [String] {
      let prefix = SanitizerOptions.variable + "="
      let given = environment.first { $0.hasPrefix(prefix) } ?? prefix
      return environment.filter { !$0.hasPrefix(prefix) }
        + [given + (given == prefix ? "" : ":") + "report_bugs=0:atexit_sleep_ms=0"]
    }
  }
#endif
