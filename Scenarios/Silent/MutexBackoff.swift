import Foundation
import Synchronization

extension Scenario {
  /// Two players pass a ball and a bat to each other; what is in the other hand is only ever tried.
  ///
  /// **What people write.** `withLock` for the one thing, and `withLockIfAvailable` for the other.
  /// If that returns `nil`, both are let go of, and the player starts again.
  ///
  /// **Why it looks dangerous.** Both orders occur, on two threads at the same time.
  ///
  /// **Why it is correct.** Nobody ever waits while holding something.
  static let mutexBackoff = Scenario(
    id: "mutex-backoff",
    summary: "The second Mutex is only ever tried, by withLockIfAvailable.",
    correct: {
      let match = Match()
      let both = Arrivals()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<100 { match.play(match.ball, match.bat) }
        },
        {
          both.meet(2, limit: .infinity)
          for _ in 0..<100 { match.play(match.bat, match.ball) }
        })
      precondition(match.ball.uses == 200 && match.bat.uses == 200)
    })
}

private final class Match: Sendable {
  let ball = Piece()
  let bat = Piece()

  func play(_ first: Piece, _ second: Piece) {
    while !first.use(with: second) {
      Thread.sleep(forTimeInterval: .random(in: 0...0.001))
    }
  }
}

private final class Piece: Sendable {
  private let count = Mutex(0)

  var uses: Int { count.withLock { $0 } }

  /// Returns whether the other piece was free.
  func use(with other: Piece) -> Bool {
    count.withLock { mine in
      let done: Void? = other.count.withLockIfAvailable { $0 += 1 }
      if done != nil { mine += 1 }
      return done != nil
    }
  }
}
