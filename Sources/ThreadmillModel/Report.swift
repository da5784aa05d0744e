/// Everything that one run of a program, or several processes of one run, has to say.
package struct Report: Hashable, Sendable {
  /// Raised when a reader of the old form would misread the new one.
  package static let currentVersion = 1

  package struct Run: Hashable, Sendable {
    /// One part of a run that was split; parts are counted from 1.
    package struct Shard: Hashable, Sendable {
      package var index: Int
      package var total: Int
      /// The name that all shards of one split share, and no other shard has; `nil` if there is
      /// none.
      package var campaign: String?

      package init(index: Int, total: Int, campaign: String? = nil) {
        self.index = index
        self.total = total
        self.campaign = campaign
      }
    }

    /// The same for all processes that one `swift test` starts.
    package var id: String
    package var processes: Int
    package var mode: String
    package var sanitizer: String?
    /// How the timing of threads was disturbed, and from which seed; `nil` where it was not.
    package var jitter: JitterPolicy?
    package var seed: Seed?
    /// The most that one of the processes has seen; `nil` where nobody counted.
    package var coverage: JitterCoverage?
    /// `nil` for a whole run.
    package var shard: Shard?

    package init(
      id: String, processes: Int = 1, mode: String = "observe", sanitizer: String? = nil,
      jitter: JitterPolicy? = nil, seed: Seed? = nil, coverage: JitterCoverage? = nil,
      shard: Shard? = nil
    ) {
      self.id = id
      self.processes = processes
      self.mode = mode
      self.sanitizer = sanitizer
      self.jitter = jitter
      self.seed = seed
      self.coverage = coverage
      self.shard = shard
    }
  }

  package var version: Int
  package var findings: [Finding]
  /// Lock order cycles of classes of locks, seen with different instances or one after the other:
  /// worth to be tried out, and no findings.
  package var classCandidates: [Finding]
  package var run: Run
  /// The results of the tests, by name; empty if they were not followed.
  package var tests: [TestResult]
  /// What explorations of tests have covered, by name of the test.
  package var explorations: [ExploredTest]
  /// What was dropped, cut, not symbolicated or not under control, by name; zero is left out.
  package var accounting: [String: Int]
  /// `nil` unless somebody asked for it.
  package var profile: ContentionProfile?
  /// The orders of all locks; `nil` unless somebody asked for it.
  package var lockGraph: LockGraph?
  /// A recording of the threads; `nil` unless an option asks for it.
  package var trace: Trace?
  /// The sources of a merged report, by ascending digest; empty for any other report.
  package var sources: [Source]

  package init(
    findings: [Finding], classCandidates: [Finding] = [], run: Run, tests: [TestResult] = [],
    explorations: [ExploredTest] = [], accounting: [String: Int] = [:],
    profile: ContentionProfile? = nil, lockGraph: LockGraph? = nil, trace: Trace? = nil,
    sources: [Source] = []
  ) {
    self.version = Self.currentVersion
    self.findings = findings
    self.classCandidates = classCandidates
    self.run = run
    self.tests = tests
    self.explorations = explorations
    self.accounting = accounting
    self.profile = profile
    self.lockGraph = lockGraph
    self.trace = trace
    self.sources = sources
  }
}
