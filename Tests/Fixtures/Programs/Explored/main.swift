import Foundation
import Threadmill

// harness-explored CASE [STRATEGY [SCHEDULES [SEED]]]: explores a case, replays what went wrong,
// and says what came of it, a word and a value a line. Those of `special` say something else.
// `as-test CASE [SCHEDULES [STRATEGY [SEED]]]`: as a test that asks for this. `example`: as a
// reader would write it. `correct`: the names of the correct.

let arguments = CommandLine.arguments.dropFirst()
func say(_ word: String, _ value: some CustomStringConvertible) { print(word, value) }

let special = [
  "beside": Beside.run, "parked": Beside.park, "launched": Launched.run, "endless": Edges.endless,
  "dead": Edges.dead, "spins": Edges.spins, "awaits-signal": Edges.awaitsSignal,
  "asynchronous": Asynchronous.run, "submissions": Submissions.run, "full": Edges.full,
  "survived": Edges.survived, "leaves": AsTest.leave, "orders": Orders.run, "late": Orders.late,
  "interleavings": Interleavings.run, "cut-short": Edges.cutShort,
]
if let run = arguments.first.flatMap({ special[$0] }) {
  do { try run() } catch { say("error", "\(error)") }
  exit(0)
}
if arguments.first == "as-test" {
  try AsTest.run(Array(arguments.dropFirst()))
  exit(0)
}
if arguments.first == "correct" {
  for name in Bodies.correct { print(name) }
  exit(0)
}
if arguments.first == "example" {
  if let failure = try exploreVisitors().failure { print(failure) }
  exit(0)
}
guard let name = arguments.first,
  let body = Bodies.all[name] ?? Unsteady.all[name] ?? Edges.all[name]
else {
  FileHandle.standardError.write(Data("harness-explored: no such case\n".utf8))
  exit(2)
}
let settings = Array(arguments.dropFirst())
let strategy = settings.first.flatMap(ExplorationStrategy.init(rawValue:)) ?? .portfolio
let schedules = settings.dropFirst().first.flatMap { Int($0) } ?? 1_000
let seed = settings.dropFirst(2).first.flatMap { UInt64($0) } ?? 1

if name == "thread-from-outside" { _ = Bodies.outsider }
if name == "oracle" { _ = Unsteady.oracle }

do {
  let result = try body.explored(schedules: schedules, strategy: strategy, seed: seed)
  say("schedules", result.schedules)
  say("distinct", result.distinct)
  say("complete", result.isComplete)
  say("uncontrolled", result.uncontrolled)
  say("abandoned", result.abandoned)
  if let place = result.uncontrolledPlaces.first { say("place", place) }
  say("nondeterminism", result.nondeterminism?.description ?? "none")
  say("failures", result.failure == nil ? 0 : 1)
  if let failure = result.failure {
    say("cause", failure.causes.map { "\($0)" }.joined(separator: "; "))
    say("diverged", failure.divergence?.description ?? "no")
    say("schedule", failure.schedule)
    let again = try body.replayed(failure.schedule)
    say("again", again.failure?.causes.map { "\($0)" }.joined(separator: "; ") ?? "nothing")
    say("divergence", again.divergence?.description ?? "none")
    print(failure.story)
  }
} catch {
  say("error", "\(error)")
}
