import Dispatch
import Foundation
import Synchronization
import Threadmill

// harness-explored-accesses CASE: explores a case whose reads and writes of memory are points, in
// a build with Thread Sanitizer; replays what went wrong, and says what came of it, a word and a
// value a line.

final class Counter: @unchecked Sendable {
  var value = 0
  let lock = NSLock()
}

/// Its end reads what it has, on whichever thread lets it go last.
final class Guest: Sendable {
  private let words = Counter()

  deinit { words.value += 1 }
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
  "lost-atomic": {
    let count = Shared()
    onTwoThreads {
      let before = count.value.load(ordering: .sequentiallyConsistent)
      count.value.store(before + 1, ordering: .sequentiallyConsistent)
    }
    if count.value.load(ordering: .sequentiallyConsistent) != 2 { throw Lost() }
  },
  "atomic-spin": {
    let isReady = Shared()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.001)
      isReady.value.store(1, ordering: .releasing)
    }
    Thread.detachNewThread {
      while isReady.value.load(ordering: .acquiring) == 0 {}
      done.signal()
    }
    done.wait()
  },
  "late-end": {
    let guest = Guest()
    onTwoThreads { _ = guest }
  },
]

/// An atomic that closures can share.
final class Shared: Sendable {
  let value = Atomic(0)
}

func say(_ word: String, _ value: some CustomStringConvertible) { print(word, value) }

/// Two threads, each of which changes a variable of its own and then one of both.
@Sendable func apart(_ change: @escaping @Sendable (Counter) -> Void) -> Int {
  let (own, both) = ([Counter(), Counter()], Counter())
  let done = DispatchSemaphore(value: 0)
  for mine in own {
    Thread.detachNewThread {
      mine.value = 1
      change(both)
      done.signal()
    }
  }
  for _ in own { done.wait() }
  return own[0].value + own[1].value + 10 * both.value
}

/// Bodies with a result, of which one schedule of each class is run.
let results: [String: @Sendable () -> Int] = [
  "apart": { apart { $0.value += 1 } },
  "apart-guarded": { apart { both in both.lock.withLock { both.value += 1 } } },
]

if let body = CommandLine.arguments.dropFirst().first.flatMap({ results[$0] }) {
  let seen = Mutex<Set<Int>>([])
  let result = try explore(schedules: 10_000, strategy: .exhaustive) {
    let value = body()
    seen.withLock { _ = $0.insert(value) }
  }
  say("seen", seen.withLock { $0.sorted() })
  say("schedules", result.schedules)
  say("complete", result.isComplete)
  say("classes", result.classes.map { "\($0)" } ?? "none")
  exit(0)
}

guard let body = CommandLine.arguments.dropFirst().first.flatMap({ bodies[$0] }) else {
  FileHandle.standardError.write(Data("harness-explored-accesses: no such case\n".utf8))
  exit(2)
}

let result = try explore(schedules: 500, body)
say("failures", result.failure == nil ? 0 : 1)
say("deterministic", result.nondeterminism.map { "\($0)" } ?? "yes")
if let failure = result.failure {
  say("cause", failure.causes.map { "\($0)" }.joined(separator: "; "))
  say("diverged", failure.divergence?.description ?? "no")
  say("schedule", failure.schedule)
  let again = try explore(replaying: failure.schedule, body)
  say("again", again.failure?.causes.map { "\($0)" }.joined(separator: "; ") ?? "nothing")
  say("divergence", again.divergence?.description ?? "none")
}
