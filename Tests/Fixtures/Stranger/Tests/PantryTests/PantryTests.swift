import Dispatch
import Foundation
import Pantry
import Testing

@Suite struct PantryTests {
  @Test func startsEmpty() { #expect(Pantry().total == 0) }

  @Test func movesUp() {
    let pantry = Pantry()
    pantry.moveUp()
    #expect(pantry.total == 0)
  }

  /// Both directions, one after the other: passes, and would not if they met.
  @Test func movesBothWays() {
    let pantry = Pantry()
    oneAfterTheOther({ pantry.moveUp() }, { pantry.moveDown() })
    #expect(pantry.total == 0)
  }

  /// Two threads visit at the same time.
  @Test func countsVisits() {
    let pantry = Pantry()
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let threads = [(first, second), (second, first)].map { mine, other in
      Thread {
        other.signal()
        mine.wait()
        for _ in 0..<1_000 { pantry.visit() }
        done.signal()
      }
    }
    for thread in threads { thread.start() }
    for _ in threads { done.wait() }
    #expect(pantry.visits > 0)
  }

  private let done = DispatchSemaphore(value: 0)

  private func oneAfterTheOther(_ bodies: (@Sendable () -> Void)...) {
    for body in bodies {
      let thread = Thread { body() }
      thread.start()
      while !thread.isFinished { usleep(100) }
    }
  }
}
