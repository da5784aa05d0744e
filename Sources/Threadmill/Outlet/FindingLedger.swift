#if os(Linux)
  import ThreadmillModel

  /// The findings of this process: the tests that answer for each one, the ones that the report
  /// file does not have yet, and the ones that standard error has not said yet.
  ///
  /// Pure: it writes nothing and says nothing. Every call is made inside `Gate.delivering`.
  struct FindingLedger {
    /// The tests that run, and the findings that they answer for.
    var blame = Blame()
    private(set) var unwritten: [Finding] = []
    private(set) var unsaid: [Finding] = []
    private(set) var hangs: [Finding] = []
    /// The number of errors that no test answers for.
    private(set) var unanswered = 0
    /// Fingerprints of the races that were said: the sanitizer reports one for each pair of stacks.
    private var races: Set<String> = []

    /// The next step for a finding that was entered.
    enum Fate: Equatable {
      /// All tests that the finding is charged to expect it: it is not entered.
      case isExpected
      /// The process may not survive it: it is said and written at once.
      case mayBeTheEnd
      /// The report file alone tells it.
      case isForReport
      /// It is said at once, and the process goes on.
      case isNews
      /// It is said at the end, or when a signal ends the process.
      case waits
      /// Nothing is left to do: a test answers for it, or it is excused, known or a note.
      case isSettled
    }

    /// Charges the finding to the tests that answer for it, and enters it.
    ///
    /// - Parameters:
    ///   - isOver: whether it happened under a schedule, which the process has survived.
    ///   - isBrief: whether standard error says only findings that may end the process.
    mutating func enter(_ finding: inout Finding, isOver: Bool, isBrief: Bool) -> Fate {
      let answer = blame.charge(&finding)
      guard answer != .isExpected else { return .isExpected }
      unwritten.append(finding)
      let isOpen = answer == .nobody
      if isOpen && finding.severity == .error && !finding.isExcused { unanswered += 1 }
      if finding.kind == .hang && finding.severity == .error && !isOver { hangs.append(finding) }
      if finding.mayBeTheEnd, !isOver { return .mayBeTheEnd }
      if finding.isExcused { return .isSettled }
      if isBrief { return .isForReport }
      guard isOpen else { return .isSettled }
      if finding.kind == .dataRace {
        return races.insert(finding.fingerprint).inserted ? .isNews : .isSettled
      }
      unsaid.append(finding)
      return finding.severity == .note ? .isSettled : .waits
    }

    /// Enters a finding for the report file alone.
    mutating func enterForReport(_ finding: Finding) { unwritten.append(finding) }

    /// Replaces a cycle by the result of its trial. A confirmed cycle is said even if a test has
    /// answered for it.
    mutating func replace(_ cycle: Finding, by tried: Finding) {
      if let place = unsaid.firstIndex(of: cycle) {
        unsaid[place] = tried
      } else if tried.status == .confirmed {
        unsaid.append(tried)
      }
      if let place = unwritten.firstIndex(of: cycle) {
        unwritten[place] = tried
      } else {
        // The report file has the cycle, and has counted it.
        var tried = tried
        tried.count = 0
        unwritten.append(tried)
      }
    }

    /// Notes that the report file has all findings now.
    mutating func noteWritten() { unwritten = [] }

    /// Notes that the report file cannot be written: standard error says its findings instead.
    ///
    /// - Parameter fails: whether the process fails for that alone, so that a run whose report is
    ///   missing is not taken for one without findings.
    mutating func noteUnwritable(fails: Bool) {
      if fails { unanswered += 1 }
      unsaid = unwritten.filter { !$0.mayBeTheEnd }
    }

    /// Returns the findings that are still to be said, and forgets them.
    mutating func takeUnsaid() -> [Finding] {
      defer { unsaid = [] }
      return unsaid
    }
  }

  extension Finding {
    /// Whether the program may hang or die of it before the report is asked for.
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
