import Dispatch
import Synchronization
import Threadmill

/// Explorations from asynchronous code.
enum Asynchronous {
  @TaskLocal private static var word = "lost"

  private final class Seen: Sendable {
    let otherTask = Atomic(false)
    let words = Mutex<Set<String>>([])
  }

  /// `asynchronous`: explores from a task, with one thread for all tasks, and says what the bodies
  /// have seen of another task and of what their own task hands down.
  static func run() throws {
    let done = DispatchSemaphore(value: 0)
    Task {
      do { try await explores() } catch { say("error", "\(error)") }
      done.signal()
    }
    done.wait()
  }

  private static func explores() async throws {
    let seen = Seen()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { seen.otherTask.store(true, ordering: .releasing) }
      await saying("cause") { try await $word.withValue("handed down") { try await looks(seen) } }
    }
    say("words", seen.words.withLock { $0.sorted().joined(separator: " ") })
    await saying("nested") {
      let result = try await explore(schedules: 1) {
        _ = try await explore(schedules: 1) {}
      }
      return result.failure.map { $0.causes.map { "\($0)" }.joined() } ?? "none"
    }
  }

  /// Ends when the other task has run, which this one must let.
  private static func looks(_ seen: Seen) async throws -> String {
    let result = try await explore(schedules: 200_000, strategy: .randomWalk) {
      await Task {}.value
      seen.words.withLock { _ = $0.insert(word) }
      if seen.otherTask.load(ordering: .acquiring) { throw Wrong("the other task has run") }
    }
    return result.failure.map { $0.causes.map { "\($0)" }.joined() } ?? "none"
  }

  private static func saying(_ word: String, _ explored: () async throws -> String) async {
    do { say(word, try await explored()) } catch { say(word, "\(error)") }
  }
}
