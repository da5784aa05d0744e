#if os(Linux)
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// Leads findings to the test that answers for them, to the report file and to standard error.
  ///
  /// `FindingLedger` knows the findings, `ReportWriting` the file, `ExplorationResults` the results
  /// of explorations; `Outlet+End` ends the process. Every stored variable is used inside
  /// `Gate.delivering` only.
  final class Outlet: @unchecked Sendable {
    /// Set once, while the process has one thread; only read after that.
    nonisolated(unsafe) static var shared: Outlet?

    let options: Options
    let text = TextReport(folder: ProcessStart.currentFolder())
    let nearMisses: NearMissFile?
    /// `nil` if the options name no baseline and no suppressions.
    private let judging: Judging?
    /// The seed that was asked for, or this process's own.
    private let seed: Seed
    var ledger = FindingLedger()
    private var file: ReportWriting
    private var explorations = ExplorationResults()
    /// The number of findings that were said at once.
    var said = 0
    /// `nil` if the options do not have cycles tried out.
    var confirmation: Confirmation?
    private var journal = TestJournal()

    init(_ options: Options) {
      self.options = options
      file = ReportWriting(to: options.report)
      nearMisses = options.nearMisses.flatMap { path in
        options.jitter == .off ? nil : NearMissFile(at: ProcessStart.absolute(path))
      }
      judging = Judging.asked(for: options, in: ProcessStart.absolute)
      seed = options.seed ?? .random
      if options.confirms { confirmation = Confirmation(seed: seed) }
    }

    /// Starts jitter if the options ask for it.
    func startShaking() {
      guard options.jitter != .off else { return }
      nearMisses?.load()
      Session.shake(options.jitter, seed: seed, scope: 0)
    }

    // MARK: Findings

    /// Takes a finding in; called by the session, one at a time, inside `Gate.delivering`.
    ///
    /// - Parameter isOver: whether it happened under a schedule, which the program has survived.
    func take(_ finding: Finding, isOver: Bool = false) {
      var finding = finding
      if finding.kind == .crash, let process = ProgramProcess.current {
        process.complete(&finding)
      } else if !isOver, Session.isExploring, isForExplorer(finding) {
        return
      }
      // A crash ends the exploration as well: this is the last moment to tell its cycles.
      if finding.kind == .crash { settleCycles() }
      answer(for: finding, isOver: isOver)
    }

    /// Charges a finding to the tests that answer for it, or tells it.
    private func answer(for finding: Finding, isOver: Bool = false) {
      var finding = finding
      if options.jitter != .off && finding.seed == nil { finding.seed = seed.rawValue }
      if finding.kind == .crash, finding.schedule == nil {
        finding.schedule = ScheduleFile.schedule?.description
      }
      finding.judgement = judging?.judgement(of: finding)
      let fate = ledger.enter(&finding, isOver: isOver, isBrief: isBrief)
      guard fate != .isExpected else { return }
      confirmation?.note(finding)
      // A signal that ends the process has the report written first.
      if file.isPossible, finding.severity != .note { Gate.expectTheEnd() }
      switch fate {
      case .isForReport: keep(finding)
      case .mayBeTheEnd, .isNews:
        // What is said is in the report as well, however the process ends.
        writeReport()
        say(finding)
        if [.deadlock, .selfDeadlock].contains(finding.kind) { Gate.noteDeadlock() }
      case .waits: Gate.addLastWords(text.text(for: finding) + "\n")
      case .isExpected, .isSettled: break
      }
    }

    /// Says a finding at once, for example one that the program may not survive.
    private func say(_ finding: Finding) {
      said += 1
      Standard.error(
        isBrief ? "threadmill: \(finding.title)\n" : text.text(for: finding) + "\n")
    }

    var isBrief: Bool { options.isBrief && file.isPossible }

    /// Tells a finding in the report file alone: writes the file at once, unless that was done a
    /// moment ago. If it was, the end of the process writes it.
    private func keep(_ finding: Finding) {
      guard finding.severity != .note else { return }
      if !file.isFresh { writeReport() }
    }

    /// Adds the findings to the report file that it does not have yet. If that fails, standard
    /// error says them.
    func writeReport(complete: Bool = false, _ profile: ContentionProfile? = nil) {
      guard file.isPossible, complete || !ledger.unwritten.isEmpty else { return }
      let report = Report(
        findings: ledger.unwritten, run: run, explorations: complete ? explored : [],
        accounting: complete ? accounting : [:], profile: profile)
      do {
        try file.add(report, complete: complete)
        ledger.noteWritten()
      } catch {
        Standard.error("threadmill: \(error)\n")
        // Under `threadmill run` the program keeps its status: a daemon that has become another
        // user cannot write into the folder of the tool.
        ledger.noteUnwritable(fails: !options.isBrief)
      }
    }

    var run: Report.Run { file.run(options: options, seed: seed) }
    var explored: [ExploredTest] { explorations.tests }
    var accounting: [String: Int] { explorations.accounting(with: Session.accounting) }

    /// Has this process write nothing more about its tests, and no report.
    func fallSilent() {
      journal = nil
      file.close()
    }

    // MARK: Explorations

    /// Enters the result of an exploration into the report as a note: the explorer answers for it.
    func note(_ finding: Finding) {
      var finding = finding
      finding.severity = .note
      Gate.delivering { take(finding) }
    }

    private func isForExplorer(_ finding: Finding) -> Bool {
      let isOfOne = LoneSchedule.current != nil
      switch explorations.findings.take(finding, isOfOneSchedule: isOfOne) {
      case .isKept: return true
      case .isForEverybody: return false
      case .mayBeTheEnd:
        keepForTheEnd(finding)
        return true
      }
    }

    /// Writes a finding into the report at once, because the program may die of it before the
    /// explorer asks for it. If the program dies, standard error says the finding, too.
    private func keepForTheEnd(_ finding: Finding) {
      var finding = finding
      finding.schedule = ScheduleFile.schedule?.description
      finding.story = ProgramProcess.toldStory
      ledger.enterForReport(finding)
      writeReport()
      if !isBrief { Gate.setSchedulesLastWords(text.text(for: finding) + "\n") }
    }

    /// Returns the findings of the schedule that is over, and forgets them.
    func takeExplored() -> [Finding] {
      Gate.delivering {
        let races = Session.takeExploredRaces()
        let found = explorations.findings.takeSchedule()
        Gate.setSchedulesLastWords(nil)
        return found + races
      }
    }

    /// Returns what makes no schedule fail, and forgets it, in a process of one schedule.
    func takeRemarks() -> [Finding] { Gate.delivering { explorations.findings.takeRemarks() } }

    /// Tells what processes of one schedule each have remarked, but not the cycles behind a
    /// deadlock in `found`.
    func tell(remarks: [Finding], but found: [Finding]) {
      Gate.delivering {
        for remark in remarks where explorations.findings.take(remark) == .isForEverybody {
          answer(for: remark)
        }
        settleCycles(but: found)
      }
    }

    /// Ends an exploration: tells the cycles that might deadlock, but not those that did.
    func settleExploration(_ found: [Finding]) {
      Gate.delivering { settleCycles(but: found) }
    }

    /// Tells the cycles of explorations, except those behind a deadlock in `found`. Calls `answer`
    /// instead of `take`, which would hand them back to an exploration that still runs.
    func settleCycles(but found: [Finding] = []) {
      for cycle in explorations.findings.takeCycles(but: found) { answer(for: cycle) }
    }

    /// Takes the result of an exploration that a test asked for; the test answers for the finding.
    func take(
      explored finding: Finding?, _ explored: ExploredTest?, counting counts: [String: Int]
    ) {
      Gate.delivering {
        explorations.add(explored, counts)
        if let finding { take(finding, isOver: true) }
      }
    }

    // MARK: Tests

    func remember(_ identifier: String, of test: String) {
      Gate.delivering { confirmation?.identifiers[test] = identifier }
    }

    func begin(_ test: String, _ scope: UInt32, identifier: String) {
      Gate.delivering {
        ledger.blame.begin(test, scope)
        journal?.begin(test, identifier, scope)
      }
      Gate.testBegan(scope: scope)
    }

    /// Ends a test. Returns the findings that it answers for, as its framework's failure shows
    /// them; leaves out notes, and findings that are known or suppressed.
    func end(_ scope: UInt32) -> [Charge] {
      let charges = Gate.delivering {
        Session.settleRaces()
        journal?.end(scope)
        return ledger.blame.end(scope).map(inWords)
      }
      if charges != nil { Gate.testEnded(scope: scope) }
      return charges ?? []
    }

    /// Notes that a test has failed, or how it has ended.
    func note(_ write: @Sendable (TestJournal) -> Void) {
      Gate.delivering { journal.map(write) }
    }

    /// Returns the findings that a running test answers for so far, and forgets them.
    func take(_ scope: UInt32) -> [Charge] {
      Gate.delivering {
        Session.settleRaces()
        return inWords(ledger.blame.take(scope))
      }
    }

    private func inWords(_ findings: [Finding]) -> [Charge] {
      findings.filter { $0.severity != .note && !$0.isExcused }
        .map { Charge(finding: $0, message: text.message(for: $0)) }
    }

    func begin(_ run: Tally.Run, of scope: UInt32, saying words: String) {
      Gate.delivering {
        ledger.blame.repeats(scope, Blame.Repetition(seed: run.seed, words: words))
      }
    }

    func end(of scope: UInt32) { Gate.delivering { ledger.blame.repeats(scope, nil) } }

    func expect(_ kinds: Set<FindingKind>, _ scope: UInt32) {
      Gate.delivering { ledger.blame.expect(kinds, scope) }
    }

    func endExpecting(_ kinds: Set<FindingKind>, _ scope: UInt32) -> [FindingKind] {
      Gate.delivering {
        Session.settleRaces()
        return ledger.blame.endExpecting(kinds, scope)
      }
    }
  }
#endif
