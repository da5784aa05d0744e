#if os(Linux)
  import Glibc
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// Where findings go: to the test that has to answer for them, to the report file, to standard
  /// error.
  ///
  /// Every stored variable is used inside `Gate.delivering` only.
  final class Outlet: @unchecked Sendable {
    /// Set once, while the process has one thread; only read after that.
    nonisolated(unsafe) static var shared: Outlet?

    let options: Options
    private let path: String?
    private let text = TextReport(folder: ProcessStart.currentFolder())
    private let nearMisses: NearMissFile?
    /// `nil` where nothing is known or suppressed.
    private let judging: Judging?
    /// Of this process: the one that was asked for, or one of its own.
    private let seed: Seed
    private let runIdentity = Outlet.handedDownRun()
    private var blame = Blame()
    /// Findings that the report file does not have yet.
    private var unwritten: [Finding] = []
    /// Findings that no test answers for and nobody has seen.
    private var unsaid: [Finding] = []
    private var hangs: [Finding] = []
    private var explored = ExploredFindings()
    /// What explorations that tests asked for came to, for the report.
    private var explorations: [String: Int] = [:]
    /// Fingerprints of the races that were said: the sanitizer reports one for each pair of stacks.
    private var races: Set<String> = []
    private var lastWriting = ContinuousClock.now - .seconds(1)
    private var said = 0
    private var unanswered = 0
    private var hasWritten = false
    /// The file has the lock graph and the trace, if somebody asked for them.
    private var hasDrawn = false
    private var fileFailed = false
    /// `nil` where nobody wants cycles to be tried out.
    private var confirmation: Confirmation?
    private var journal = TestJournal()

    init(_ options: Options) {
      self.options = options
      path = options.report.map(Outlet.absolute)
      nearMisses = options.nearMisses.flatMap { path in
        options.jitter == .off ? nil : NearMissFile(at: Self.absolute(path))
      }
      judging = Judging.asked(for: options, in: Self.absolute)
      seed = options.seed ?? .random
      if options.confirms { confirmation = Confirmation(seed: seed) }
    }

    /// Begins what the options ask for.
    func startShaking() {
      guard options.jitter != .off else { return }
      nearMisses?.load()
      Session.shake(options.jitter, seed: seed, scope: 0)
    }

    /// Takes a finding in; called by the session, one at a time, inside `Gate.delivering`.
    ///
    /// - Parameter isOver: whether it happened under a schedule, which the program has survived.
    func take(_ finding: Finding, isOver: Bool = false) {
      if Session.isExploring, isForExplorer(finding) { return }
      // The exploration comes to no other end.
      if finding.kind == .crash { settleCycles() }
      answer(for: finding, isOver: isOver)
    }

    /// Has tests answer for a finding, or tells it.
    private func answer(for finding: Finding, isOver: Bool = false) {
      var finding = finding
      if options.jitter != .off && finding.seed == nil { finding.seed = seed.rawValue }
      if finding.kind == .crash, finding.schedule == nil {
        finding.schedule = ScheduleFile.schedule?.description
      }
      finding.judgement = judging?.judgement(of: finding)
      let answer = blame.charge(&finding)
      guard answer != .isExpected else { return }
      unwritten.append(finding)
      confirmation?.note(finding)
      if answer == .nobody && finding.severity == .error && !finding.isExcused { unanswered += 1 }
      if finding.kind == .hang && finding.severity == .error && !isOver { hangs.append(finding) }
      if finding.mayBeTheEnd, !isOver {
        say(finding)
        writeReport()
      } else if finding.isExcused {
        return
      } else if isBrief {
        keep(finding)
      } else if finding.kind == .dataRace {
        if answer == .nobody, races.insert(finding.fingerprint).inserted { say(finding) }
      } else if answer == .nobody {
        unsaid.append(finding)
        if finding.severity == .note { return }
        Gate.setLastWords(text.text(for: finding) + "\n")
      }
    }

    /// Says at once what the program may not survive.
    private func say(_ finding: Finding) {
      said += 1
      Standard.error(
        isBrief ? "threadmill: \(finding.title)\n" : text.text(for: finding) + "\n")
    }

    private var isBrief: Bool { options.isBrief && path != nil && !fileFailed }

    /// Has a finding told by the report file alone, whatever ends the process: at once, unless that
    /// was done a moment ago, and when a signal ends the process.
    private func keep(_ finding: Finding) {
      guard finding.severity != .note else { return }
      Gate.setLastWords("")
      if ContinuousClock.now - lastWriting > .milliseconds(200) { writeReport() }
    }

    /// Has the report tell what an exploration has led to, which whoever explores answers for.
    func note(_ finding: Finding) {
      var finding = finding
      finding.severity = .note
      Gate.delivering { take(finding) }
    }

    private func isForExplorer(_ finding: Finding) -> Bool {
      switch explored.take(finding) {
      case .isKept: return true
      case .isForEverybody: return false
      case .mayBeTheEnd:
        keepForTheEnd(finding)
        return true
      }
    }

    /// Of what the program may die of, though nobody knows yet, the report tells at once; and so
    /// does standard error, if it dies.
    private func keepForTheEnd(_ finding: Finding) {
      var finding = finding
      finding.schedule = ScheduleFile.schedule?.description
      unwritten.append(finding)
      writeReport()
      if !isBrief { Gate.setLastWords(text.text(for: finding) + "\n") }
    }

    /// Gives out what the schedule has led to that is over.
    func takeExplored() -> [Finding] {
      Gate.delivering {
        let races = Session.takeExploredRaces()
        let found = explored.takeSchedule()
        if found.contains(where: \.mayTrap), !isBrief {
          Gate.setLastWords(unsaid.last.map { text.text(for: $0) + "\n" } ?? "")
        }
        return found + races
      }
    }

    /// An exploration is over: says what might go wrong, but for what did.
    func settleExploration(_ found: [Finding]) {
      Gate.delivering { settleCycles(but: found) }
    }

    /// It may be the exploration itself that ends the process: then nobody is asked once more.
    private func settleCycles(but found: [Finding] = []) {
      for cycle in explored.takeCycles(but: found) { answer(for: cycle) }
    }

    /// Takes in what came of an exploration that a test asked for: the finding is the test's.
    func take(explored finding: Finding?, counting counts: [String: Int]) {
      Gate.delivering {
        explorations.merge(counts) { $0 + $1 }
        if let finding { take(finding, isOver: true) }
      }
    }

    // MARK: Tests

    func remember(_ identifier: String, of test: String) {
      Gate.delivering { confirmation?.identifiers[test] = identifier }
    }

    func begin(_ test: String, _ scope: UInt32, identifier: String) {
      Gate.delivering {
        blame.begin(test, scope)
        journal?.begin(test, identifier, scope)
      }
      Gate.testBegan(scope: scope)
    }

    /// What the test has to answer for, as its framework's failure shows it. Notes, and what is
    /// known or suppressed, are nothing to answer for.
    func end(_ scope: UInt32) -> [Charge] {
      let charges = Gate.delivering {
        Session.settleRaces()
        journal?.end(scope)
        return blame.end(scope).map(inWords)
      }
      if charges != nil { Gate.testEnded(scope: scope) }
      return charges ?? []
    }

    /// The same of a test that goes on.
    func take(_ scope: UInt32) -> [Charge] {
      Gate.delivering {
        Session.settleRaces()
        return inWords(blame.take(scope))
      }
    }

    private func inWords(_ findings: [Finding]) -> [Charge] {
      findings.filter { $0.severity != .note && !$0.isExcused }
        .map { Charge(finding: $0, message: text.message(for: $0)) }
    }

    func begin(_ run: Tally.Run, of scope: UInt32, saying words: String) {
      Gate.delivering { blame.repeats(scope, Blame.Repetition(seed: run.seed, words: words)) }
    }

    func end(of scope: UInt32) { Gate.delivering { blame.repeats(scope, nil) } }

    func expect(_ kinds: Set<FindingKind>, _ scope: UInt32) {
      Gate.delivering { blame.expect(kinds, scope) }
    }

    func endExpecting(_ kinds: Set<FindingKind>, _ scope: UInt32) -> [FindingKind] {
      Gate.delivering {
        Session.settleRaces()
        return blame.endExpecting(kinds, scope)
      }
    }

    // MARK: The end

    /// Writes what is left; returns the status with which the process should end.
    func finish(status: Int32) -> Int32 {
      Gate.deactivate()
      return Gate.delivering {
        Session.settleRest()
        settleCycles()
        tryCyclesOut()
        let profile = Session.profile
        writeReport(complete: true, profile)
        sayRest()
        if let profile { Standard.error("\n" + text.text(for: profile)) }
        nearMisses?.save()
        Gate.setLastWords(nil)
        return status == 0 && unanswered > 0 && !isBrief ? ExitStatus.findings : status
      }
    }

    /// What is known of a cycle after that takes the place of what was known before; a confirmed
    /// one is said even where a test has answered for it.
    private func tryCyclesOut() {
      guard let confirmation, !confirmation.cycles.isEmpty else { return }
      Standard.error(confirmation.announcement)
      for cycle in confirmation.cycles {
        var tried = confirmation.trials(for: cycle).tried(cycle)
        if let place = unsaid.firstIndex(of: cycle) {
          unsaid[place] = tried
        } else if tried.status == .confirmed {
          unsaid.append(tried)
        }
        if let place = unwritten.firstIndex(of: cycle) {
          unwritten[place] = tried
        } else {
          // It is in the file and was counted there.
          tried.count = 0
          unwritten.append(tried)
        }
      }
    }

    /// Ends the process after a hang, whose threads would keep it from coming to its exit; after a
    /// picture of a program that may still run, that is somebody else's to do.
    ///
    /// Called on a thread of the gate's own. Findings that wait are said, and what the program
    /// printed goes out.
    func giveUp(isHang: Bool) {
      Gate.deactivate()
      let end = Gate.deliveringWithPatience { () -> LastSentence in
        Session.settleRest()
        settleCycles()
        writeReport(complete: true)
        sayRest()
        // They have just been said, and the process may yet die of a signal.
        Gate.setLastWords(nil)
        nearMisses?.save()
        return LastSentence(
          hangs: hangs, running: blame.running, seconds: options.hangSeconds, place: place(of:))
      }
      guard isHang else { return }
      PrintedOutput.flush()
      Standard.error(end?.text ?? "threadmill: hang; the process ends here\n")
      Gate.end(status: ExitStatus.findings)
    }

    private func place(of finding: Finding) -> String? {
      finding.place.flatMap(text.place(of:))
    }

    private func sayRest() {
      if !isBrief, !unsaid.isEmpty || said > 0 { sayAll() }
      unsaid = []
    }

    private func sayAll() {
      let report = Report(findings: unsaid, run: run, accounting: accounting)
      // Notes are for the report file; on standard error they only go with something else.
      guard unsaid.contains(where: { $0.severity != .note }) else {
        if said > 0, let again = TextReport.repetition(of: run) { Standard.error(again + "\n") }
        return
      }
      Standard.error("\n" + text.text(for: report) + "\n")
    }

    private var accounting: [String: Int] {
      Session.accounting.merging(explorations.filter { $0.value != 0 }) { $0 + $1 }
    }

    private var run: Report.Run {
      let sanitizer = Gate.hasThreadSanitizer ? "thread" : nil
      let isShaken = options.jitter != .off
      let coverage = TestBridge.coverage
      return Report.Run(
        id: runIdentity, processes: hasWritten ? 0 : 1, mode: options.mode.rawValue,
        sanitizer: sanitizer,
        jitter: isShaken ? options.jitter : nil, seed: isShaken ? seed : nil,
        coverage: coverage.pairs > 0 ? coverage : nil)
    }

    /// Adds to the report file what it does not have yet. Findings stay on standard error when that
    /// fails.
    private func writeReport(complete: Bool = false, _ profile: ContentionProfile? = nil) {
      guard let path, complete || !unwritten.isEmpty, !fileFailed else { return }
      let accounting = complete ? self.accounting : [:]
      var report = Report(findings: unwritten, run: run, accounting: accounting, profile: profile)
      if complete, !hasDrawn {
        (report.lockGraph, report.trace) = (Session.lockGraph, Session.trace)
      }
      do {
        try ReportFile.merge(into: path, report)
        hasDrawn = hasDrawn || complete
        hasWritten = true
        unwritten = []
        lastWriting = .now
      } catch {
        fileFailed = true
        unanswered += 1
        Standard.error("threadmill: \(error)\n")
        unsaid = unwritten.filter { !$0.mayBeTheEnd }
      }
    }

    /// The run that this process belongs to: that of the watched process that started it, or its
    /// own, which it hands down. Reads and writes the environment, so only while there is one
    /// thread.
    private static func handedDownRun() -> String {
      if let run = getenv(RunIdentity.variable) { return String(cString: run) }
      let run = RunIdentity.current
      setenv(RunIdentity.variable, run, 1)
      return run
    }

    private static func absolute(_ path: String) -> String {
      path.hasPrefix("/") ? path : (ProcessStart.currentFolder().map { $0 + "/" } ?? "") + path
    }
  }

  extension Finding {
    /// Whether the program may hang or die of it before anybody asks for a report.
    fileprivate var mayBeTheEnd: Bool {
      let isPicture = kind == .hang && severity == .warning
      guard status == .observed && (severity == .error || isPicture) else { return false }
      return switch kind {
      case .deadlock, .selfDeadlock, .queueReentry, .hang, .poolStarvation, .crash: true
      case .unbalancedGroup, .semaphoreMisuse, .queueMisuse, .lockAcrossSuspension: true
      case .operationCycle, .operationMisuse, .continuationMisuse: true
      default: false
      }
    }
  }
#endif
