import Foundation
import Synchronization
import Threadmill

/// All orders of two threads that use a new lock, with each kind of lock.
enum Interleavings {
  /// A lock as a body uses it: makes a new one for each schedule.
  private struct Lock: Sendable {
    var name: String
    var make: @Sendable () -> Use
  }

  private struct Use: Sendable {
    var lock: @Sendable (() -> Void) -> Void
    var tryToLock: @Sendable (() -> Void) -> Bool
  }

  private final class Box: Sendable {
    let mutex = Mutex(())
  }

  private static let locks = [
    Lock(name: "NSLock") {
      let lock = NSLock()
      return Use(
        lock: { body in
          lock.lock()
          body()
          lock.unlock()
        },
        tryToLock: { body in
          guard lock.try() else { return false }
          body()
          lock.unlock()
          return true
        })
    },
    Lock(name: "Mutex") {
      let box = Box()
      return Use(
        lock: { body in box.mutex.withLock { _ in body() } },
        tryToLock: { body in box.mutex.withLockIfAvailable { _ in body() } != nil })
    },
  ]

  private typealias Body = @Sendable (_ use: Use, _ log: Log, _ name: String) -> Void

  /// What a thread does, and notes.
  private static let bodies: [(title: String, body: Body)] = [
    (
      "once",
      { use, log, name in
        use.lock { log.note(name) }
        log.note(name.lowercased())
      }
    ),
    (
      "twice",
      { use, log, name in
        use.lock { log.note(name) }
        use.lock { log.note(name.lowercased()) }
      }
    ),
    (
      "tries",
      { use, log, name in
        use.lock { log.note(name) }
        if use.tryToLock({ log.note(name.lowercased()) }) { log.note("+") }
      }
    ),
  ]

  /// `interleavings`: for each body and lock how many schedules there are, and how often the
  /// threads noted what.
  static func run() throws {
    for (title, body) in bodies {
      for lock in locks { try tell("\(title)-\(lock.name)", body, lock) }
    }
  }

  private static func tell(_ title: String, _ body: @escaping Body, _ lock: Lock) throws {
    let seen = Seen()
    let result = try explore(schedules: 20_000, strategy: .exhaustive) {
      let (use, log) = (lock.make(), Log())
      Bodies.onThreads({ body(use, log, "A") }, { body(use, log, "B") })
      seen.insert(log.take())
    }
    say("\(title)-complete", result.isComplete)
    say("\(title)-distinct", result.distinct)
    say("\(title)-notes", seen.all)
  }

  /// Filled by the one thread at a time that an exploration runs.
  private final class Seen: @unchecked Sendable {
    private var notes: [String: Int] = [:]
    func insert(_ note: String) { notes[note, default: 0] += 1 }
    var all: String { notes.map { "\($0)=\($1)" }.sorted().joined(separator: ",") }
  }
}
