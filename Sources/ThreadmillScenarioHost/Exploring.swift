import Foundation
import Synchronization
import Threadmill
import ThreadmillScenarios

/// A scenario's body as something that can be run many times in one process: what a program says by
/// its end, it says by an error.
package struct ExploredBody: Sendable {
  private let body: Scenario.Body

  package init(_ body: @escaping Scenario.Body) { self.body = body }

  /// What was wrong with a result, of the schedule that is run.
  struct WrongResult: Error, CustomStringConvertible {
    let description: String
  }

  /// The state is reached without order, so that nobody learns of anybody by it: only a schedule
  /// that goes wrong takes the lock.
  private final class Run: Sendable {
    let isWrong = Atomic(false)
    let words = Mutex("")
    let endings = Mutex<[Ending]>([])
    /// Ends when the program would: of one that serves the main queue.
    let end = Mutex<AsyncStream<Never>?>(nil)
  }

  /// Called once, by the task of the body, when the rest of it is over.
  private struct Ending: @unchecked Sendable {
    let action: () -> Void
  }

  private static let run = Run()

  /// To be called once, before the first run.
  package static func takeProbes() {
    Probes.installed.wrongResult = { words in
      guard !run.isWrong.exchange(true, ordering: .relaxed) else { return }
      run.words.withLock { $0 = words }
    }
    Probes.installed.end = { action in
      let ending = Ending(action: action)
      run.endings.withLock { $0.append(ending) }
    }
    Probes.installed.serve = { work in
      let (stream, end) = AsyncStream<Never>.makeStream()
      run.end.withLock { $0 = stream }
      work { end.finish() }
    }
    Probes.installed.patience = 0
    Probes.installed.breathe = { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Once from the beginning to the end. What scenarios take for the main thread is the main actor.
  @MainActor package func perform() async throws {
    Self.run.isWrong.store(false, ordering: .relaxed)
    Self.run.endings.withLock { $0 = [] }
    Self.run.end.withLock { $0 = nil }
    body()
    if let end = Self.run.end.withLock(\.self) { for await _ in end {} }
    for ending in Self.run.endings.withLock(\.self) { ending.action() }
    guard Self.run.isWrong.load(ordering: .relaxed) else { return }
    throw WrongResult(description: Self.run.words.withLock(\.self))
  }
}

/// How a variant is to be explored, as it was typed: `seed=7 strategy=pct`.
struct ExplorationOrder {
  var schedules = 1_000
  var strategy = ExplorationStrategy.portfolio
  var seed: UInt64 = 1
  /// What to follow instead of looking for a schedule that goes wrong.
  var schedule: Schedule?

  init(_ words: some Sequence<String>) {
    for word in words {
      let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, set(pair[0], to: pair[1]) else {
        refuse("cannot make sense of '\(word)'\n\(usage)")
      }
    }
  }

  private mutating func set(_ name: String, to text: String) -> Bool {
    switch name {
    case "schedules": schedules = Int(text) ?? 0
    case "strategy": strategy = ExplorationStrategy(rawValue: text) ?? strategy
    case "seed": seed = UInt64(text) ?? 0
    case "schedule": schedule = try? Schedule(parsing: text)
    default: return false
    }
    return schedules > 0 && (name != "strategy" || strategy.rawValue == text)
      && (name != "schedule" || schedule != nil)
  }
}

/// Says which variants there is a verdict about, a line each: identifier, variant, kinds that must
/// be found, kinds that may be (`-` where there are none), what becomes of it by itself, options.
func tellWhatIsExplorable() {
  for scenario in Scenario.all {
    for variant in scenario.variants {
      guard let expectation = scenario.expectations[variant],
        let verdict = expectation.verdicts[.explore]
      else { continue }
      let kinds = [verdict.required, verdict.allowed].map { kinds in
        kinds.isEmpty ? "-" : kinds.sorted().joined(separator: ",")
      }
      print(
        scenario.id, variant.rawValue, kinds[0], kinds[1], expectation.outcome.rawValue,
        expectation.options, separator: "\t")
    }
  }
}

/// Says on standard output what came of exploring a body, a word and its value a line.
func explore(_ body: @escaping Scenario.Body, _ order: ExplorationOrder) {
  ExploredBody.takeProbes()
  let body = ExploredBody(body)
  do {
    let result: Exploration
    if let schedule = order.schedule {
      result = try explore(replaying: schedule) { try await body.perform() }
    } else {
      result = try explore(
        schedules: order.schedules, strategy: order.strategy, seed: order.seed
      ) { try await body.perform() }
    }
    tell(result)
  } catch {
    refuse("\(error)")
  }
}

private func tell(_ result: Exploration) {
  print("schedules", result.schedules)
  print("distinct", result.distinct)
  print("complete", result.isComplete)
  print("steps", result.steps)
  print("uncontrolled", result.uncontrolled)
  for place in result.uncontrolledPlaces { print("place", place) }
  if let nondeterminism = result.nondeterminism { print("nondeterminism", nondeterminism) }
  print("seconds", result.duration / .seconds(1))
  let failure = result.failure
  print("kinds", Set(failure?.causes.map(\.kind) ?? []).sorted().joined(separator: ","))
  if let divergence = result.divergence ?? failure?.divergence { print("divergence", divergence) }
  guard let failure else { return }
  print("cause", failure.causes.map { "\($0)" }.joined(separator: "; "))
  print("forced", failure.schedule.forcedSwitches)
  print("schedule", failure.schedule)
}

extension Exploration.Failure.Cause {
  /// As reports name it.
  fileprivate var kind: String {
    switch self {
    case .error, .expectation, .status: "assertionFailure"
    case .signal, .sanitizer: "crash"
    case .finding(let kind, _): kind.rawValue
    case .standstill, .endless, .stuck: "hang"
    }
  }
}
