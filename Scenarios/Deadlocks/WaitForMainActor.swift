import Dispatch
import Foundation

extension Scenario {
  /// A synchronous function on the main thread waits for a task that belongs to the main actor.
  ///
  /// **What people write.** `async` has come as far as a function that must not become `async`. So
  /// it starts a task, waits on a semaphore, and the task signals at its end.
  ///
  /// **Why it breaks.** The task works for the main actor, whose jobs run on the main thread, and
  /// the main thread is the one that waits.
  ///
  /// **How it shows.** It hangs at once where the function is called on the main thread, and works
  /// in every test that calls it from elsewhere. It may also begin years later, when somebody marks
  /// a type deep inside as `@MainActor`.
  ///
  /// **Repair.** No waiting: let the rest of the work be part of the task.
  static let waitForMainActor = Scenario(
    id: "wait-for-main-actor", fault: .deadlocks,
    summary: "The main thread waits on a semaphore for a task of the main actor.",
    expectations: [
      .flawed: .init(
        .hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let done = DispatchSemaphore(value: 0)
      Task {
        await Team.shared.load()
        done.signal()
      }
      done.wait()
      exit(0)
    },
    repaired: {
      servingTheMainQueue { done in
        Task {
          await Team.shared.load()
          done()
        }
      }
    })
}

@MainActor private final class Team {
  static let shared = Team()

  private var players: [String] = []

  func load() async {
    players = await fetch()
    precondition(players == ["Ada", "Bea"])
  }

  private func fetch() async -> [String] { ["Ada", "Bea"] }
}
