import ThreadmillModel

/// The potential lock order cycles of one test, and what explorations of the test make of them.
struct CycleConfirmation: Hashable, Sendable {
  /// The most explorations of one test.
  static let most = 4

  /// As findings name the test.
  let test: String
  /// The cycles. A cycle whose deadlock was reached is confirmed.
  private var cycles: [Finding]
  /// Other failures under a schedule, each with that schedule.
  private(set) var others: [Finding] = []
  private var explorations = 0
  /// The number of schedules in all of them.
  private(set) var schedules = 0
  /// Whether there are no other schedules.
  private var isComplete = false
  /// Why the test was not explored; `nil` if it was.
  private var reason: String?
  /// Whether the last exploration ended early with another failure.
  private var hasFailedOtherwise = false
  /// Whether the next exploration is led to the lines of a cycle. If the program has no code of its
  /// own for one, because the compiler has inlined it, the test is explored without that.
  private var isLed = true

  init(of test: String, _ cycles: [Finding]) { (self.test, self.cycles) = (test, cycles) }

  /// The lines at which the threads of the next cycle to be reached take their second locks.
  var lines: [CodeLine] {
    let next = cycles.first(where: \.isOpenCycle)
    return isLed ? next?.linesOfSecondLocks ?? [] : []
  }

  /// Takes the report of one exploration of the test.
  ///
  /// - Returns: whether another exploration may reach more. An exploration ends with its first
  ///   failure, and so hides what comes behind that.
  mutating func take(_ report: Report) -> Bool {
    explorations += 1
    reason = report.tests.first { $0.title == test }?.unexplored
    if let reason, reason.hasPrefix(ExploredTest.cannotLead), isLed {
      isLed = false
      return true
    }
    let explored = report.explorations.first { $0.test == test }
    schedules += explored?.coverage.schedules ?? 0
    isComplete = explored?.isComplete ?? false
    let failures = report.findings.filter { $0.schedule != nil && $0.status == .observed }
    var isNew = false
    hasFailedOtherwise = false
    for failure in failures {
      if confirm(by: failure) {
        isNew = true
      } else if !cycles.contains(where: { $0.threads(of: failure) != nil }) {
        hasFailedOtherwise = true
        let isKnown = others.contains { $0.fingerprint == failure.fingerprint }
        if !isKnown { others.append(failure) }
        isNew = isNew || !isKnown
      }
    }
    return isNew && explorations < Self.most && cycles.contains(where: \.isOpenCycle)
  }

  private mutating func confirm(by failure: Finding) -> Bool {
    for (index, cycle) in cycles.enumerated() where cycle.isOpenCycle {
      guard let threads = cycle.threads(of: failure) else { continue }
      var confirmed = cycle.confirmed(by: threads, tries: schedules, of: test, seed: failure.seed)
      confirmed.facts.append(.init("schedule \(schedules) of \(test) reaches this deadlock"))
      confirmed.facts += failure.facts.filter { !$0.isNumberOfSchedule }
      confirmed.schedule = failure.schedule
      confirmed.story = failure.story?.named(as: cycle.names(of: failure, threads))
      cycles[index] = confirmed
      return true
    }
    return false
  }

  /// The cycles, those that are still potential with a fact that says why.
  var settled: [Finding] {
    cycles.map { cycle in
      guard cycle.isOpenCycle else { return cycle }
      var cycle = cycle
      cycle.facts.append(.init(miss))
      return cycle
    }
  }

  /// Why a deadlock was not reached, as one clause.
  private var miss: String {
    if let reason { return "\(test) was not explored: \(reason)" }
    guard schedules > 0 else { return "\(test) was not explored: its process ended early" }
    let count = schedules == 1 ? "1 schedule" : "\(schedules) schedules"
    if isComplete, explorations == 1 {
      return "all \(count) of \(test) were tried, and none reached this deadlock"
    }
    let rest = hasFailedOtherwise ? "; the last one ended in another failure" : ""
    return "\(count) of \(test) did not reach this deadlock\(rest)"
  }
}
