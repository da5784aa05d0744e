import ThreadmillHistories
import ThreadmillModel

@_exported import enum ThreadmillHistories.Consistency

/// What was tried when a description held.
public struct Linearizability: Sendable, CustomStringConvertible {
  /// Scenarios that were run.
  public internal(set) var scenarios = 0
  /// Schedules of all of them.
  public internal(set) var schedules = 0
  /// Distinct histories: who called what when, with what came of it.
  public internal(set) var histories = 0
  /// Scenarios of which all schedules were run.
  public internal(set) var completeScenarios = 0
  /// Scenarios that were given up early, because in some order a call of theirs waits for ever, and
  /// rightly so.
  public internal(set) var waitingScenarios = 0
  /// Operations that were not under control, of all schedules.
  public internal(set) var uncontrolled = 0
  /// The processor time that running the schedules took.
  public internal(set) var exploring: Duration = .zero
  /// The processor time that it took to make the calls by one thread, to know what they do; none
  /// with a model.
  public internal(set) var learning: Duration = .zero
  /// The processor time that it took to find the orders that explain the histories.
  public internal(set) var checking: Duration = .zero
  /// Everything that was drawn came from it.
  public let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// In one line.
  public var description: String {
    "\(schedules) schedules of \(scenarios) scenarios (\(completeScenarios) with all there are), "
      + "\(histories) histories, each explained by an order of its calls"
  }
}

/// A description of operations that cannot be checked as it stands.
@nonexhaustive
public enum DescriptionError: Error, Hashable, CustomStringConvertible {
  /// It has no operations.
  case noOperations
  /// The arguments of this operation are an empty sequence.
  case noArguments(operation: String)
  /// A scenario has more calls than can be checked.
  case tooManyCalls(Int, most: Int)
  /// The text is not that of ``Counterexample/replay``, or that of another description.
  case badReplay(String)
  /// The object could not be made, or a call by one thread has no end.
  case fails(String)

  /// For people.
  public var description: String {
    switch self {
    case .noOperations: "the description has no operations; add an Operation(…) { … }"
    case .noArguments(let operation):
      "the arguments of \"\(operation)\" are an empty sequence; give it at least one"
    case .tooManyCalls(let count, let most):
      "\(count) calls in a scenario; threads × calls may be \(most) at most"
    case .badReplay(let text):
      "'\(text.prefix(40).description.printable)' is no counter-example of this description; copy "
        + "the whole text after 'replaying:'"
    case .fails(let words):
      "the calls cannot be made by one thread, one after the other: \(words)"
    }
  }
}
