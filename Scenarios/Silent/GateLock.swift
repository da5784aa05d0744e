import Foundation

extension Scenario {
  /// Knife and board are taken in either order, but only by whoever holds the kitchen.
  ///
  /// **What people write.** One big lock around everything that needs more than one small lock.
  ///
  /// **Why it looks dangerous.** The two small locks are nested in both orders, by different
  /// threads.
  ///
  /// **Why it is correct.** Nobody can be between the two small locks while somebody else is: the
  /// big one, the gate, keeps them apart. Checkers that look at pairs of locks only report it.
  static let gateLock = Scenario(
    id: "gate-lock", summary: "Opposite orders of two locks, always under a third one.",
    correct: {
      let kitchen = Kitchen()
      let both = Arrivals()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<200 { kitchen.chop() }
        },
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<200 { kitchen.clean() }
        })
      precondition(kitchen.uses == 400)
    })
}

/// `gate` protects `uses`.
private final class Kitchen: @unchecked Sendable {
  private let gate = NSLock()
  private let knife = NSLock()
  private let board = NSLock()
  private(set) var uses = 0

  func chop() {
    gate.lock()
    knife.lock()
    board.lock()
    uses += 1
    board.unlock()
    knife.unlock()
    gate.unlock()
  }

  func clean() {
    gate.lock()
    board.lock()
    knife.lock()
    uses += 1
    knife.unlock()
    board.unlock()
    gate.unlock()
  }
}
