import ThreadmillDetection
import ThreadmillModel
import ThreadmillReporting

#if os(Linux)
  import ThreadmillRuntime
#endif

/// The result of running a body under many schedules.
public struct Exploration: Sendable {
  /// The number of schedules that were run.
  public internal(set) var schedules = 0
  /// The number of different schedules among them. After 100,000, no further ones are counted.
  public internal(set) var distinct = 0
  /// The number of classes of schedules that were seen. Two schedules belong to the same class if
  /// they differ only in the order of steps that do not depend on each other. In builds in which
  /// accesses to memory are steps, ``ExplorationStrategy/exhaustive`` runs one schedule of each
  /// class, and few more. `nil` in other builds and for other strategies.
  public internal(set) var classes: Int?
  /// The coverage of the schedules, and whether further ones are likely to show more; `nil` if the
  /// exploration followed one schedule.
  public internal(set) var coverage: ExplorationCoverage?
  /// The number of steps of all schedules.
  public internal(set) var steps = 0
  /// The number of steps of the longest schedule that did not fail.
  var longest = 0
  /// The schedule that failed and ended the exploration; `nil` if none failed.
  public internal(set) var failure: Failure?
  /// Whether all schedules were run, and everything was under control.
  public internal(set) var isComplete = false
  /// The number of operations that were not under control, in all schedules.
  public internal(set) var uncontrolled = 0
  /// The places of the first of these operations.
  public internal(set) var uncontrolledPlaces: [UncontrolledPlace] = []
  /// The number of threads and blocks that still waited when the body ended, in all schedules.
  public internal(set) var abandoned = 0
  /// The source of all random choices.
  public internal(set) var seed: UInt64
  /// The time that the exploration took.
  public internal(set) var duration: Duration = .zero
  /// The first difference from the schedule that the program had to follow; `nil` if there was
  /// none, or if there was no schedule to follow.
  public internal(set) var divergence: ScheduleDivergence?
  /// Set if the body took other steps when a schedule was run again. Some schedules are run twice
  /// to find this out.
  public internal(set) var nondeterminism: Nondeterminism?

  /// Set if each schedule of a test had a process of its own: whether the failure comes in every
  /// order, so that it is none of an order.
  var isolatedFailureIsOfEveryOrder: Bool?
  /// Potential cycles and warnings of such processes.
  var remarks: [Finding] = []

  init(seed: UInt64) { self.seed = seed }

  /// A place at which the program did something that no schedule controls: it read from a file or
  /// the network, started a process, or waited for a thread from outside.
  public struct UncontrolledPlace: Sendable, CustomStringConvertible {
    /// The function that was called, or a word for the operation.
    public let operation: String
    /// The number of times that it happened.
    public let count: Int
    /// The user's functions there, innermost first, each with file and line if they are known.
    public let frames: [String]

    /// In one line.
    public var description: String {
      "\(operation), \(count) \(count == 1 ? "time" : "times"), at \(frames.first ?? "?")"
    }
  }

  /// A schedule that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// One reason for the failure.
    @nonexhaustive
    public enum Cause: Sendable {
      /// The body threw this error.
      case error(any Error)
      /// An expectation of the test failed.
      case expectation(FailedExpectation)
      /// A detector found something.
      case finding(FindingKind, title: String)
      /// The body had not ended, and nothing could go on; this number of threads and blocks waited.
      case standstill(waiting: Int)
      /// The body had not ended after this number of steps.
      case endless(steps: Int)
      /// A thread or block made no step for this long: it loops without a call, or waits for
      /// something that is not under control. It goes on outside of the exploration.
      case stuck(seconds: Int, place: String)
      /// The program that is explored ended with this status.
      case status(Int32)
      /// A signal ended the program that is explored.
      case signal(Int32)
      /// A sanitizer ended the program that is explored.
      case sanitizer(SanitizerError)
    }

    /// The reasons for the failure, at least one.
    public internal(set) var causes: [Cause]
    /// The schedule, for ``explore(replaying:steps:_:)``.
    public internal(set) var schedule: Schedule
    /// The number of the schedule in the exploration, from 1.
    public let number: Int
    /// The first difference when the schedule was run again to make sure; `nil` if there was none.
    /// A difference means that the body depends on more than the order of its threads.
    public internal(set) var divergence: ScheduleDivergence?
    /// The steps that led to the failure; `nil` if the second run did not fail.
    package var told: ScheduleStory?
    /// Whether the body ended in the run that failed first.
    var bodyIsOver = true
    /// Whether a whole program failed, and not the body of an exploration.
    var ofProgram = false
    /// The last line of the program's output.
    var lastWords: String?
    /// The findings of the run that `told` describes.
    var detected: [Finding] = []
    /// The failure as the process of the schedule has told it; `nil` if the schedule had no process
    /// of its own.
    var toldElsewhere: Finding?
    #if os(Linux)
      /// The tasks that were suspended when nothing could go on.
      var awaits: Awaits?
    #endif

    init(causes: [Cause], schedule: Schedule, number: Int) {
      (self.causes, self.schedule, self.number) = (causes, schedule, number)
    }

    /// The reasons, the steps that led to the failure, and how to run the schedule again.
    public var description: String {
      let notes = divergence.map { "; not the same when it was run again: \($0)" } ?? ""
      return "schedule \(number): \(words)\(notes)\n\n\(story)"
    }

    /// The reasons on one line.
    var words: String { causes.map { "\($0)" }.joined(separator: "; ") }

    /// A table with a column for each thread, block or task, and a row for each step with its line
    /// of source. Below it are the waits at the end, and how to run the schedule again. If the
    /// schedule could not be run again, there is no table.
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
    case .status(let status): "ends with status \(status)"
    case .signal(let number): "ends by \(Crash.words(for: number))"
    case .sanitizer(let error): error.error
    }
  }

  /// The same for what counts as the same failure.
  var key: String {
    switch self {
    case .error(let error): "error \((error as? ErrorElsewhere)?.type ?? "\(type(of: error))")"
    case .expectation(let expectation): expectation.key
    case .finding(let kind, _): kind.rawValue
    case .standstill: "standstill"
    case .endless: "endless"
    case .stuck: "stuck"
    case .status(let status): "status \(status)"
    case .signal(let number): "signal \(number)"
    case .sanitizer(let error): "\(error.error) in \(error.function ?? "?")"
    }
  }
}
