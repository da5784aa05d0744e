import Foundation
import Threadmill
import ThreadmillScenarioHost
import ThreadmillScenarios

// harness-weak-memory CASE flawed|repaired [SEEDS [SCHEDULES [STRATEGY]]]: explores a case with
// each seed, replays what went wrong, and says what came of it, a word and a value a line.
// `SCHEDULE` in the place of SEEDS follows that one.

let arguments = Array(CommandLine.arguments.dropFirst())
func say(_ word: String, _ value: some CustomStringConvertible) { print(word, value) }

/// One variant of a scenario, or a case.
func body(_ name: String, _ variant: String) -> (@Sendable () async throws -> Void)? {
  if let found = Case.all.first(where: { $0.name == name }) {
    return { try await found.run(variant == "repaired") }
  }
  guard let variant = Scenario.Variant(rawValue: variant),
    let program = Scenario.named(name)?.body(of: variant)
  else { return nil }
  ExploredBody.takeProbes()
  let explored = ExploredBody(program)
  return { try await explored.perform() }
}

guard arguments.count > 1, let body = body(arguments[0], arguments[1]) else { exit(2) }

if arguments.count > 2, let schedule = try? Schedule(parsing: arguments[2]) {
  let result = try explore(replaying: schedule, body)
  say("cause", result.failure?.causes.map { "\($0)" }.joined(separator: "; ") ?? "nothing")
  say("divergence", result.divergence?.description ?? "none")
  exit(0)
}

let seeds = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
let schedules = arguments.dropFirst(3).first.flatMap { Int($0) } ?? 1_000
let strategy = arguments.dropFirst(4).first.flatMap(ExplorationStrategy.init(rawValue:))
var (failures, runs, same) = (0, 0, 0)
var last: Exploration.Failure?
let began = ContinuousClock.now
for seed in 1...seeds {
  let result = try explore(
    schedules: schedules, strategy: strategy ?? .portfolio, seed: seed, body)
  runs += result.schedules
  if result.nondeterminism != nil {
    say("nondeterminism", result.nondeterminism?.description ?? "")
  }
  guard let failure = result.failure else { continue }
  failures += 1
  let again = try explore(replaying: failure.schedule, body)
  if again.divergence == nil, again.failure?.description != nil, failure.divergence == nil {
    same += 1
  }
  last = failure
}
say("failures", failures)
say("replayed", same)
say("schedules", runs)
say("microseconds", Int((ContinuousClock.now - began) / .microseconds(1)) / max(1, runs))
if let last {
  say("cause", last.causes.map { "\($0)" }.joined(separator: "; "))
  say("schedule", last.schedule)
  print(last.story)
}
