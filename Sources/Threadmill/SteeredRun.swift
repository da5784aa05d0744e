#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// This process, where it was started only to see whether one lock order cycle can become a
  /// deadlock: it says nothing, writes down that deadlock, and ends with it.
  final class SteeredRun: Sendable {
    /// Threads for Swift's tasks, unless somebody has asked for another number.
    private static let pool = 16

    private let places: CyclePlaces
    private let report: String

    private init(places: CyclePlaces, report: String) {
      self.places = places
      self.report = report
    }

    /// Takes the plan out of the environment, so that a child of this process is none of its kind;
    /// it is not watched either. Called once, before other threads exist.
    ///
    /// - Returns: whether this process is one.
    static func begin(_ options: Options) -> Bool {
      guard let text = getenv(SteeringPlan.variable).map({ String(cString: $0) }) else {
        return false
      }
      unsetenv(SteeringPlan.variable)
      setenv(Options.variable, "detect=false", 1)
      // A plan that makes no sense here leads nowhere, and that is what its parent is told.
      guard let plan = SteeringPlan(parsing: text), let places = Steering.begin(plan) else {
        Gate.end(status: 0)
      }
      if let folder = plan.folder { chdir(folder) }
      let run = SteeredRun(places: places, report: plan.report)
      Session.start(
        Self.quiet(options), sanitizer: SanitizerOptions(parsing: ""), tellsCrashes: false,
        scopes: nil, deliver: run.take, giveUp: { _ in })
      return true
    }

    /// Held threads wait for long on purpose: that is nobody's finding.
    private static func quiet(_ options: Options) -> Options {
      var quiet = Options()
      quiet.without = Set(Finding.Kind.allCases).subtracting([.deadlock, .selfDeadlock])
      // A held thread must not keep a thread from whoever it is held for.
      quiet.pool = options.pool == 0 ? Self.pool : options.pool
      quiet.symbolicates = options.symbolicates
      return quiet
    }

    /// Ends the steered run: after a standstill, nothing more can happen.
    private func take(_ finding: Finding) {
      if finding.kind == .deadlock, let order = places.order(finding) {
        var reached = finding
        reached.participants = order
        let run = Report.Run(id: RunIdentity.current, mode: "steered")
        try? ReportFile.write(Report(findings: [reached], run: run), to: report)
      }
      Gate.end(status: 0)
    }
  }
#endif
