#if os(Linux)
  import ThreadmillModel

  /// What is found while schedules are explored, until it is known who answers for it.
  ///
  /// Every call is made inside `Gate.delivering`.
  struct ExploredFindings {
    /// Of the schedule that runs: whoever explores answers for them.
    private var ofSchedule: [Finding] = []
    /// Orders of locks that might deadlock in another schedule, until it is known whether one does.
    private var cycles: [Finding] = []
    /// Fingerprints of what is told once, and not for every schedule.
    private var told: Set<String> = []

    enum Answer {
      case isKept, isForEverybody
      /// It is kept, and the program may die of it before anybody asks.
      case mayBeTheEnd
    }

    /// What really went wrong is the schedule's. What might, and what is only a warning, is told
    /// like everywhere, but only once.
    mutating func take(_ finding: Finding) -> Answer {
      guard finding.status == .observed, finding.severity == .error else {
        guard told.insert(finding.fingerprint).inserted else { return .isKept }
        guard finding.kind == .lockOrderCycle else { return .isForEverybody }
        cycles.append(finding)
        return .isKept
      }
      ofSchedule.append(finding)
      let isFirst = finding.mayTrap && told.insert(finding.fingerprint).inserted
      return isFirst ? .mayBeTheEnd : .isKept
    }

    /// Gives out what the schedule has led to that is over.
    mutating func takeSchedule() -> [Finding] {
      defer { ofSchedule = [] }
      return ofSchedule
    }

    /// Gives out the cycles, but for those that were found to deadlock.
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
    /// Whether the program may die of it before whoever explores can ask for it.
    var mayTrap: Bool {
      switch kind {
      case .unbalancedGroup, .semaphoreMisuse, .queueMisuse, .operationMisuse, .continuationMisuse:
        true
      default: false
      }
    }
  }
#endif
