import Foundation
import Synchronization
import Threadmill

/// What tasks note where they are, in every order that is explored.
enum Orders {
  /// Whoever took it has to give it back, on the same thread.
  private final class Lock: Sendable {
    private let lock = NSLock()
    func take() { lock.lock() }
    func give() { lock.unlock() }

    /// Both are held for a moment, this one first.
    func take(with other: Lock) {
      take()
      other.take()
      other.give()
      give()
    }
  }

  private actor Desk {
    private let log: Log
    private var waiting: Task<Void, Never>?
    init(_ log: Log) { self.log = log }

    func note(_ word: String) { log.note(word) }

    /// Goes to another desk while a task of this one waits in line.
    func leave(for other: Desk) async {
      waiting = Task { log.note("l") }
      await other.note("o")
      await waiting?.value
    }

    /// Goes on to where it is.
    func twice() async {
      log.note("1")
      await second()
    }
    private func second() async { log.note("2") }

    func isCancelled() -> Bool { Task.isCancelled }
  }

  private static let programs: [(name: String, body: @Sendable (Log) async -> Void)] = [
    (
      "line",
      { log in
        let (desk, other) = (Desk(log), Desk(log))
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await desk.leave(for: other) }
          group.addTask { log.note("c") }
        }
      }
    ),
    (
      "twice",
      { log in
        let desk = Desk(log)
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { await desk.twice() } }
        }
      }
    ),
    (
      "locked",
      { log in
        let (desk, lock) = (Desk(log), Lock())
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            lock.take()
            await desk.note("k")
            lock.give()
          }
          group.addTask { log.note("c") }
        }
      }
    ),
    (
      "known",
      { log in
        let (desk, first, second) = (Desk(log), Lock(), Lock())
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            first.take(with: second)
            await desk.note("k")
            second.take(with: first)
          }
          group.addTask { log.note("c") }
        }
      }
    ),
    (
      "immediate",
      { log in
        let desk = Desk(log)
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            let task = Task.immediate { await desk.note("i") }
            log.note("n")
            await task.value
          }
          group.addTask { log.note("c") }
        }
      }
    ),
    (
      "handler",
      { log in
        let (desk, lock) = (Desk(log), Lock())
        let task = Task {
          await withTaskCancellationHandler {
            lock.take()
            log.note("w")
            lock.give()
            await desk.note("x")
          } onCancel: {
            lock.take()
            log.note("h")
            lock.give()
          }
        }
        await desk.note("")
        task.cancel()
        await task.value
      }
    ),
    (
      "cancelled",
      { log in
        let (desk, other) = (Desk(log), Desk(log))
        let task = Task { await desk.isCancelled() }
        await other.note("")
        task.cancel()
        log.note(await task.value ? "yes" : "no")
      }
    ),
  ]

  private static func visit(_ desk: Desk, _ log: Log) async {
    log.note("a")
    await desk.note("b")
  }

  /// `late`: where a task goes on, and who called it there, that stood at its hop while another
  /// one ran.
  static func late() throws {
    let result = try explore(schedules: 5_000, strategy: .exhaustive) {
      let log = Log()
      let desk = Desk(log)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await visit(desk, log) }
        group.addTask { log.note("c") }
      }
      if log.take() == "acb" { throw Wrong("late") }
    }
    let steps = result.failure?.told?.steps ?? []
    for step in steps where step.operation == .hop && step.object != nil {
      say("calls", step.places.prefix(2).compactMap(\.function).joined(separator: " "))
    }
  }

  /// `orders`: the name of each program and all of its orders, by their letters.
  static func run() throws { try tell(programs) }

  static func tell(_ programs: [(name: String, body: @Sendable (Log) async -> Void)]) throws {
    for (name, body) in programs {
      let orders = Mutex<Set<String>>([])
      let result = try explore(schedules: 5_000, strategy: .exhaustive) {
        let log = Log()
        await body(log)
        orders.withLock { _ = $0.insert(log.take()) }
      }
      say("\(name)-complete", result.isComplete)
      say("\(name)-failures", result.failure == nil ? 0 : 1)
      say(name, orders.withLock { $0.sorted().joined(separator: " ") })
    }
  }
}
