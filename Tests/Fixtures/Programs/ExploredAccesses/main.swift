import Dispatch
import Foundation
import Threadmill

// harness-explored-accesses CASE: explores a case whose reads and writes of memory are points, in
// a build with Thread Sanitizer; replays what went wrong, and says what came of it, a word and a
// value a line.

final class Counter: @unchecked Sendable {
  var value = 0
  let lock = NSLock()
}

struct Lost: Error {}

@Sendable func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread.detachNewThread {
      body()
      done.signal()
    }
  }
  for _ in 0..<2 { done.wait() }
}

let bodies: [String: @Sendable () throws -> Void] = [
  "lost-update": {
    let counter = Counter()
    onTwoThreads { counter.value += 1 }
    if counter.value != 2 { throw Lost() }
  },
  "lost-update-repaired": {
    let counter = Counter()
    onTwoThreads { counter.lock.withLock { counter.value += 1 } }
    if counter.value != 2 { throw Lost() }
  },
]

guard let body = CommandLine.arguments.dropFirst().first.flatMap({ bodies[$0] }) else {
  FileHandle.standardError.write(Data("harness-explored-accesses: no such case\n".utf8))
  exit(2)
}

func say(_ word: String, _ value: some CustomStringConvertible) { print(word, value) }

let result = try explore(schedules: 500, body)
say("failures", result.failures.count)
if let failure = result.failures.first {
  say("cause", failure.causes.map { "\($0)" }.joined(separator: "; "))
  say("diverged", failure.divergence ?? "no")
  say("schedule", failure.schedule)
  let again = try explore(replaying: failure.schedule, body)
  say("again", again.failures.first?.causes.map { "\($0)" }.joined(separator: "; ") ?? "nothing")
  say("divergence", again.divergence ?? "none")
}
