#if os(Linux)
  import ThreadmillModel

  /// The findings of an exploration, until it is known which test they belong to.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct ExploredFindings {
    /// The findings of the current schedule. They belong to the test that explores.
    private var ofSchedule: [Finding] = []
    /// Potential lock order cycles, until it is known whether another schedule deadlocks there.
    private var cycles: [Finding] = []
    /// The other findings that make no schedule fail, in a process of one schedule.
    private var remarks: [Finding] = []
    /// The fingerprints of findings that are told once, and not for every schedule.
    private var told: Set<String> = []

    enum Answer {
      case isKept, isForEverybody
      /// It is kept, and it may end the program before the explorer asks for it.
      case mayBeTheEnd
    }

    /// Keeps an observed error for the schedule. Tells a potential finding or a warning as outside
    /// of explorations, but only once.
    ///
    /// - Parameter isOfOneSchedule: whether the process is for one schedule, and tells another one
    ///   what it has found.
    mutating func take(_ finding: Finding, isOfOneSchedule: Bool = false) -> Answer {
      guard finding.status == .observed, finding.severity == .error else {
        guard told.insert(finding.fingerprint).inserted else { return .isKept }
        if finding.kind == .lockOrderCycle {
          cycles.append(finding)
        } else if isOfOneSchedule {
          remarks.append(finding)
        } else {
          return .isForEverybody
        }
        return .isKept
      }
      ofSchedule.append(finding)
      let isFirst = finding.mayTrap && told.insert(finding.fingerprint).inserted
      return isFirst ? .mayBeTheEnd : .isKept
    }

    /// Returns and forgets the findings of the schedule that has ended.
    mutating func takeSchedule() -> [Finding] {
      defer { ofSchedule = [] }
      return ofSchedule
    }

    /// Returns and forgets what makes no schedule fail.
    mutating func takeRemarks() -> [Finding] {
      defer { (cycles, remarks) = ([], []) }
      return cycles + remarks
    }

    /// Returns and forgets the cycles, without those that really deadlocked.
    mutating func takeCycles(but found: [Finding]) -> [Finding] {
      let deadlocks = found.filter { $0.kind == .deadlock }
      defer { cycles = [] }
      return cycles.filter { cycle in
        let places = CyclePlaces(of: cycle)
        return !deadlocks.contains { places?.isBehind($0) == true }
      }
    }
  }

  extension Finding {
    /// Whether it may end the program before the explorer can ask for it.
    var mayTrap: Bool {
      switch kind {
      case .unbalancedGroup, .semaphoreMisuse, .queueMisuse, .operationMisuse, .continuationMisuse:
        true
      default: false
      }
    }
  }
#endif
