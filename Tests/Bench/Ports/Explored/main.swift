// One trial of one small program under an exploration: see `scripts/strategies`.
//
//   threadmill-bench-ports list
//   threadmill-bench-ports PROGRAM STRATEGY SEED SCHEDULES
//
// The first form prints the programs' names. The second one prints the number of the schedule that
// failed, or `-` if none did. Exit status: 0; 2 wrong usage; 3 nothing could be explored.
import Foundation
import Threadmill
import ThreadmillBenchPorts

func refuse(_ words: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("threadmill-bench-ports: \(words)\n".utf8))
  exit(status)
}

let words = Array(CommandLine.arguments.dropFirst())
if words == ["list"] {
  for port in Port.all { print(port.name) }
  exit(0)
}
guard words.count == 4, let port = Port.all.first(where: { $0.name == words[0] }),
  let strategy = ExplorationStrategy(rawValue: words[1]), let seed = UInt64(words[2]),
  let schedules = Int(words[3])
else { refuse("not a trial: \(words.joined(separator: " "))", 2) }

do {
  let result = try explore(
    schedules: schedules, strategy: strategy, seed: seed, steps: 20_000, port.body)
  print(result.failure.map { "\($0.number)" } ?? "-")
  // A trial says nothing else: `exit` would tell the program's other findings, and change the
  // status. Threads of schedules that deadlocked are still there.
  fflush(nil)
  _exit(0)
} catch {
  refuse("\(error)", 3)
}
