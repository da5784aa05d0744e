import Foundation
import Threadmill

// harness-described flawed TYPE [SEEDS [FIRST]]: what is found with each of so many seeds.
// harness-described repaired TYPE [SCENARIOS [SCHEDULES]]: what was tried.
// harness-described replays TYPE [TIMES]: a counter-example, run again so often.
// harness-described replay TYPE [TEXT]: the counter-example of this text, or what is found; the
// same lines for the same counter-example.
// harness-described shows TYPE: a counter-example as people see it.
// harness-described cost [HISTORIES]: of checking so many histories of 3 threads with 3 calls each,
// as a share of exploring them; by type.
// harness-described other CASE [SCENARIOS]: more of the language; for `cancelled`, with so many
// scenarios.

let arguments = Array(CommandLine.arguments.dropFirst())

func number(_ place: Int, or usual: Int) -> Int {
  arguments.dropFirst(place).first.flatMap { Int($0) } ?? usual
}

func found(_ check: Described.Check, seed: UInt64, replay: String? = nil) throws -> Counterexample?
{
  do {
    _ = try check(100, 300, seed, replay)
    return nil
  } catch let found as Counterexample {
    return found
  }
}

func size(_ found: Counterexample) -> String {
  found.threads.map { "\($0.count)" }.joined(separator: "+")
}

func run(_ described: Described) throws {
  switch arguments[0] {
  case "flawed":
    let first = number(3, or: 1)
    for seed in first..<(first + number(2, or: 1)) {
      guard let found = try found(described.flawed, seed: UInt64(seed)) else {
        print("seed", seed, "nothing")
        continue
      }
      let scenario = found.scenario.map { $0.joined(separator: " ") }.joined(separator: "|")
      print(
        "seed", seed, size(found), found.isUnexplained ? "unexplained" : "fails",
        found.failure.divergence == nil ? "sure" : "unsure", scenario)
    }
  case "replays":
    guard let first = try found(described.flawed, seed: 1) else { return print("nothing") }
    var same = 0
    for _ in 0..<number(2, or: 1) {
      let again = try found(described.flawed, seed: 1, replay: first.replay)
      let isSame = again?.threads == first.threads && again?.failure.divergence == nil
      same += isSame ? 1 : 0
    }
    print("same", same)
  case "replay":
    let text = arguments.dropFirst(2).first
    guard let found = try found(described.flawed, seed: 1, replay: text) else {
      return print("nothing")
    }
    print("replay", found.replay)
    for calls in found.threads { print(calls.map { "\($0)" }.joined(separator: ", ")) }
    print(found.failure.divergence == nil ? "sure" : "unsure")
  case "shows": if let found = try found(described.flawed, seed: 1) { print(found) }
  default:
    let result = try described.repaired(number(2, or: 100), number(3, or: 300), 1, nil)
    print("scenarios", result.scenarios)
    print("schedules", result.schedules)
    print("histories", result.histories)
    print("complete", result.completeScenarios)
    print("waiting", result.waitingScenarios)
    print("uncontrolled", result.uncontrolled)
    print("share", result.checking / (result.exploring + result.checking))
    print("seconds", (result.exploring + result.checking) / .seconds(1))
  }
}

do {
  if arguments.first == "cost" {
    try Cost.tell(histories: number(1, or: 1_000))
  } else if let described = Described.all[arguments.dropFirst().first ?? ""] {
    try run(described)
  } else {
    try await Others.run(arguments.dropFirst().first ?? "", scenarios: number(2, or: 100))
  }
} catch {
  print("error", error)
}
