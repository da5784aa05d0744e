#if os(Linux)
  import ThreadmillModel
  import ThreadmillRuntime

  /// The functions by which the bridge of a test framework talks to Threadmill.
  ///
  /// The bridges are modules of their own, so that a program without tests links no test library.
  /// They install themselves before the gate starts to watch.
  package enum TestBridge {
    /// How Swift Testing's scopes are followed; set by its bridge while the process has one thread.
    nonisolated(unsafe) static var scopes: ScopeHooks?

    /// Has `entered` and `leaving` called on the test's own task whenever Swift Testing changes
    /// what runs there.
    package static func follow(
      entered: @escaping @Sendable () -> UInt32, leaving: @escaping @Sendable (UInt32) -> Void
    ) {
      scopes = ScopeHooks(entered: entered, leaving: leaving)
    }

    /// Lets explorations of the framework's tests notice failed expectations.
    package static func watchExpectations(_ watch: ExpectationWatch) {
      ExpectationWatch.all.append(watch)
    }

    /// Whether the code here is a part of an exploration.
    package static var isExploring: Bool { Session.isExploring }

    /// Whether every test is explored, even one without a trait for it.
    package static var exploresAll: Bool { options.mode == .explore }

    /// Whether this process is for one schedule of one exploration, and no test runs as usual.
    package static var runsOneSchedule: Bool { LoneSchedule.current?.asks == false }

    /// Whether this process is for one isolated schedule, or asks for the work of an exploration:
    /// the cases of a test before that one do not run as usual.
    package static var isForIsolation: Bool { LoneSchedule.current?.place.isOfWholeTest == true }

    /// Runs `body`, which the harness calls, as code of the user's.
    package static func visibly<R>(_ body: () throws -> R) rethrows -> R {
      try Gate.seen(body)
    }

    /// Runs `body` unseen: nothing that it does is a step of an exploration.
    package static func unseen<R>(_ body: () throws -> R) rethrows -> R {
      try Gate.unseen(body)
    }

    /// The number under which a test's code is known.
    package static func scope(of test: String) -> UInt32 { Session.scope(named: test) }

    /// Opens a test; what is found from now on is charged to it if it comes from there.
    ///
    /// - Parameter identifier: what the test is called on a command line.
    package static func begin(_ test: String, _ scope: UInt32, identifier: String) {
      Outlet.shared?.begin(test, scope, identifier: identifier)
    }

    /// Notes the name of a test on XCTest's command line.
    package static func remember(_ identifier: String, of test: String) {
      Outlet.shared?.remember(identifier, of: test)
    }

    /// Closes a test, and returns the findings that it fails for so far.
    package static func end(_ scope: UInt32) -> [Charge] { Outlet.shared?.end(scope) ?? [] }

    /// Notes a failure of a test whose framework writes no stream of events.
    package static func fail(
      _ identifier: String, _ message: String, file: String?, line: Int
    ) {
      Outlet.shared?.note { $0.fail(identifier, .init(message, file: file, line: line)) }
    }

    /// Notes why a test is not explored, although every test is to be.
    ///
    /// - Parameter needsIsolation: whether it can be explored with a process for each schedule.
    package static func leaveUnexplored(
      _ identifier: String, _ reason: String, needsIsolation: Bool = false
    ) {
      Outlet.shared?.note {
        $0.leaveUnexplored(identifier, reason, needsIsolation: needsIsolation)
      }
    }

    /// Notes how such a test has ended.
    package static func finish(
      _ identifier: String, wasSkipped: Bool, hasPassed: Bool, seconds: Double
    ) {
      let outcome: TestResult.Outcome = wasSkipped ? .skipped : hasPassed ? .passed : .failed
      let milliseconds = Int((min(seconds, 1_000_000) * 1_000).rounded())
      Outlet.shared?.note { $0.finish(identifier, outcome, milliseconds: milliseconds) }
    }

    /// Gives out what it has to answer for so far, and leaves it open.
    package static func take(_ scope: UInt32) -> [Charge] { Outlet.shared?.take(scope) ?? [] }

    /// The scope of the code that runs here; 0 outside of tests.
    package static var currentScope: UInt32 { Gate.currentScope }

    package static var hasThreadSanitizer: Bool { Gate.hasThreadSanitizer }

    /// Has the test answer for nothing of these kinds, as they are what it is to lead to.
    package static func expect(_ kinds: Set<FindingKind>, _ scope: UInt32) {
      Outlet.shared?.expect(kinds, scope)
    }

    /// Ends that; returns the kinds of which nothing was found.
    package static func endExpecting(_ kinds: Set<FindingKind>, _ scope: UInt32) -> [FindingKind] {
      Outlet.shared?.endExpecting(kinds, scope) ?? []
    }

    /// From now on, what works for this test is disturbed in this way; 0 stands for everything that
    /// no other call stands for. The calling thread counts its decisions from the beginning, so
    /// that the same seed makes the same ones.
    package static func shake(_ policy: JitterPolicy, seed: Seed, scope: UInt32) {
      Session.shake(policy, seed: seed, scope: scope)
    }

    /// Ends that.
    package static func endShaking(scope: UInt32) { Session.endShaking(scope: scope) }

    /// What has been seen since the process began.
    package static var coverage: JitterCoverage { Session.coverage }

    /// What this process was told.
    static var options: Options { Outlet.shared?.options ?? Options() }

    /// From now on what the test leads to belongs to this one of its runs, and says so.
    static func begin(_ run: Tally.Run, of scope: UInt32, saying words: String) {
      Outlet.shared?.begin(run, of: scope, saying: words)
      if let seed = run.seed { shake(run.policy, seed: seed, scope: scope) }
    }

    /// Ends that.
    static func end(_ run: Tally.Run, of scope: UInt32) {
      if run.seed != nil { endShaking(scope: scope) }
      Outlet.shared?.end(of: scope)
    }

    /// Makes all code without a test of its own work for this one; 0 ends that.
    package static func setProcessScope(_ scope: UInt32) { Gate.setProcessScope(scope) }
  }
#endif
