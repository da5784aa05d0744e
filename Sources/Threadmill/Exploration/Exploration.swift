import ThreadmillModel

/// What came of running a body under many schedules.
public struct Exploration: Sendable {
  /// How many schedules were run.
  public internal(set) var schedules = 0
  /// How many of them differed in who went when; of more than 100,000 no more are told apart.
  public internal(set) var distinct = 0
  /// Points at which somebody was chosen, of all schedules.
  public internal(set) var steps = 0
  /// Those that went wrong, in the order in which they were run.
  public internal(set) var failures: [Failure] = []
  /// Whether there is no other schedule.
  public internal(set) var isComplete = false
  /// Operations that were not under control, of all schedules: sources, and what other threads do.
  public internal(set) var uncontrolled = 0
  /// Threads and blocks that were left waiting when the body was over, of all schedules.
  public internal(set) var abandoned = 0
  /// Everything that was drawn came from it.
  public internal(set) var seed: UInt64
  /// How long all of it took.
  public internal(set) var duration: Duration = .zero
  /// Where the program did something else than the schedule that it was to follow; `nil` if it
  /// followed, and where there was none to follow.
  public internal(set) var divergence: String?

  init(seed: UInt64) { self.seed = seed }

  /// A schedule that went wrong.
  public struct Failure: Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Cause: Sendable {
      /// The body threw it.
      case error(any Error)
      /// An expectation of the test failed.
      case expectation(FailedExpectation)
      /// A detector found something.
      case finding(FindingKind, title: String)
      /// The body did not come to its end, and nothing could go on: so many threads and blocks
      /// wait.
      case standstill(waiting: Int)
      /// There was no end to it within so many steps.
      case endless(steps: Int)
    }

    /// At least one.
    public internal(set) var causes: [Cause]
    /// Runs it again: see ``explore(replaying:_:)``.
    public internal(set) var schedule: Schedule
    /// The first one has number 1.
    public let number: Int
    /// What was different when the schedule was run again to make sure; `nil` if nothing was. A
    /// body that depends on more than the order of its threads is not followed.
    public internal(set) var divergence: String?
    /// What detectors have found, in the run that is told.
    var detected: [Finding] = []

    init(causes: [Cause], schedule: Schedule, number: Int) {
      (self.causes, self.schedule, self.number) = (causes, schedule, number)
    }

    /// In one line, with the schedule at its end.
    public var description: String {
      let causes = causes.map { "\($0)" }.joined(separator: "; ")
      let notes = divergence.map { "; not the same when it was run again: \($0)" } ?? ""
      return "schedule \(number): \(causes)\(notes); replay: \(schedule)"
    }
  }
}

extension Exploration.Failure.Cause: CustomStringConvertible {
  /// For people.
  public var description: String {
    switch self {
    case .error(let error): "threw \(error)"
    case .expectation(let expectation): "\(expectation)"
    case .finding(_, let title): title
    case .standstill(let waiting): "nothing can go on, and \(waiting) wait"
    case .endless(let steps): "no end within \(steps) steps"
    }
  }

  /// The same for what counts as the same failure.
  var key: String {
    switch self {
    case .error(let error): "error \(type(of: error))"
    case .expectation(let expectation): expectation.key
    case .finding(let kind, _): kind.rawValue
    case .standstill: "standstill"
    case .endless: "endless"
    }
  }
}
