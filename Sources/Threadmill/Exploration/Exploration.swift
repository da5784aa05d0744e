import ThreadmillModel
import ThreadmillReporting

#if os(Linux)
  import ThreadmillRuntime
#endif

/// What came of running a body under many schedules.
public struct Exploration: Sendable {
  /// How many schedules were run.
  public internal(set) var schedules = 0
  /// How many of them differed in who went when; of more than 100,000 no more are told apart.
  public internal(set) var distinct = 0
  /// What the schedules have shown, and whether further ones are likely to show more; `nil` where
  /// one schedule was followed.
  public internal(set) var coverage: ExplorationCoverage?
  /// Points at which somebody was chosen, of all schedules.
  public internal(set) var steps = 0
  /// The schedule that went wrong, with which the exploration ended; `nil` if none did.
  public internal(set) var failure: Failure?
  /// Whether there is no other schedule, and everything that happened was under control.
  public internal(set) var isComplete = false
  /// Operations that were not under control, of all schedules: sources, and what other threads do.
  public internal(set) var uncontrolled = 0
  /// Where the first of them were.
  public internal(set) var uncontrolledPlaces: [UncontrolledPlace] = []
  /// Threads and blocks that were left waiting when the body was over, of all schedules.
  public internal(set) var abandoned = 0
  /// Everything that was drawn came from it.
  public internal(set) var seed: UInt64
  /// How long all of it took.
  public internal(set) var duration: Duration = .zero
  /// Where the program did something else than the schedule that it was to follow; `nil` if it
  /// followed, and where there was none to follow.
  public internal(set) var divergence: ScheduleDivergence?
  /// That the body does not do the same each time, where that was noticed: some schedules are run
  /// twice to find out.
  public internal(set) var nondeterminism: Nondeterminism?

  init(seed: UInt64) { self.seed = seed }

  /// A place at which the program did what no schedule decides: it read from a file or the network,
  /// started a process, or waited for a thread from outside.
  public struct UncontrolledPlace: Sendable, CustomStringConvertible {
    /// The function that was called, or what it was.
    public let operation: String
    /// How often.
    public let count: Int
    /// The user's functions there, innermost first, each with file and line where they are known.
    public let frames: [String]

    /// In one line.
    public var description: String {
      "\(operation), \(count) \(count == 1 ? "time" : "times"), at \(frames.first ?? "?")"
    }
  }

  /// A schedule that went wrong.
  public struct Failure: Error, CustomStringConvertible {
    /// What went wrong.
    @nonexhaustive
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
      /// A thread or block kept its turn for so long without a step: it loops without a call, or
      /// waits for what is not under control. It is left to itself.
      case stuck(seconds: Int, place: String)
    }

    /// At least one.
    public internal(set) var causes: [Cause]
    /// Runs it again: see ``explore(replaying:steps:_:)``.
    public internal(set) var schedule: Schedule
    /// The first one has number 1.
    public let number: Int
    /// What was different when the schedule was run again to make sure; `nil` if nothing was. A
    /// body that depends on more than the order of its threads is not followed.
    public internal(set) var divergence: ScheduleDivergence?
    /// How it came about; `nil` where it did not fail again.
    package var told: ScheduleStory?
    /// Whether the body came to its end, in the run that failed first.
    var bodyIsOver = true
    /// What detectors have found, in the run that is told.
    var detected: [Finding] = []
    #if os(Linux)
      /// The tasks that were suspended when nothing could go on.
      var awaits: Awaits?
    #endif

    init(causes: [Cause], schedule: Schedule, number: Int) {
      (self.causes, self.schedule, self.number) = (causes, schedule, number)
    }

    /// What went wrong, how it came to that, step by step, and at the end how to run it again.
    public var description: String {
      let notes = divergence.map { "; not the same when it was run again: \($0)" } ?? ""
      return "schedule \(number): \(words)\(notes)\n\n\(story)"
    }

    /// What went wrong, on one line.
    var words: String { causes.map { "\($0)" }.joined(separator: "; ") }

    /// A table with a column for each thread, block or task and a row for each step that matters,
    /// with its line of source; at the end who waits for what, and how to run it again. Where the
    /// schedule could not be run again there is no table.
    public var story: String {
      #if os(Linux)
        if let told { return SourceText.report.text(for: told) }
      #endif
      return TextReport.replay(schedule.description) + "\n"
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
    case .standstill(0): "nothing can go on: nobody resumes what the body awaits"
    case .standstill(let waiting): "nothing can go on, and \(waiting) wait"
    case .endless(let steps): "no end within \(steps) steps"
    case .stuck(let seconds, let place):
      "no step for \(seconds) s, at \(place): it loops without a call, or waits for what is not under "
        + "control"
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
    case .stuck: "stuck"
    }
  }
}
