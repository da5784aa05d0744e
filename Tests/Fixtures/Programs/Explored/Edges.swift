import Dispatch
import Foundation
import Threadmill

/// Bodies at the limits of what can be explored.
enum Edges {
  static let all: [String: Body] = [
    // The new thread waits for ever, and no other thread waits for it.
    "leaves-a-thread": .code {
      let condition = NSCondition()
      Thread.detachNewThread { condition.withLock { condition.wait() } }
    },
    "many-barriers": .code(Crowd.atBarriers),
    "many-onces": .code(Crowd.atOnces),
    "awaits-nobody": .task {
      let (stream, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      end.finish()
    },
  ]

  /// More blocks than a schedule has room for, though never two at a time.
  static func full() throws {
    try explore(schedules: 1, steps: 400_000) {
      let (queue, group) = (DispatchQueue(label: "many"), DispatchGroup())
      for _ in 0..<70_000 {
        queue.async(group: group) {}
        group.wait()
      }
    }
  }

  /// Survives a misuse that a program may die of, and is then ended by a signal.
  static func survived() throws {
    let result = try explore(schedules: 1) {
      let (group, queue) = (DispatchGroup(), DispatchQueue(label: "work"))
      group.notify(queue: queue) {}
      group.enter()
      queue.async { group.leave() }
    }
    say("failures", result.failures.count)
    fflush(nil)
    kill(getpid(), SIGTERM)
    while true { pause() }
  }

  /// Explores a body without an end, in a few steps, and replays its failure.
  static func endless() throws {
    let body: @Sendable () -> Void = { while true { sched_yield() } }
    let result = try explore(schedules: 1, steps: 500, body)
    guard let failure = result.failures.first else { return }
    say("cause", failure.causes.map { "\($0)" }.joined())
    let again = try explore(replaying: failure.schedule, steps: 500, body)
    say("again", again.failures.first?.causes.map { "\($0)" }.joined() ?? "nothing")
    say("divergence", again.divergence ?? "none")
  }
}
