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

guard let body = CommandLine.arguments.dropFirst().first.flatMap({ bodies[$0] }) else {
  FileHandle.standardError.write(Data("harness-explored-accesses: no such case\n".utf8))
  exit(2)
}

func say(_ word: String, _ value: some CustomStringConvertible) { print(word, value) }

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
