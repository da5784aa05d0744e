import Foundation
import Pantry
import Synchronization
import Testing
import XCTest

/// Runs both on threads of their own, the second one after the first is through.
///
/// A flag holds the second one back, and is no promise: under another order of the threads the two
/// meet. It holds it for a number of looks, as time stands still in an exploration. They take
/// some hundredths of a second. If the first one has not run by then, the two deadlock only if they
/// hold their first locks in the same microsecond.
private func atOnce(
  _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
) {
  // The first call makes what is made once in a process.
  Pantry().moveUp()
  let (isOver, ended) = (Flag(), DispatchGroup())
  for _ in 0..<2 { ended.enter() }
  Thread.detachNewThread {
    first()
    isOver.raise()
    ended.leave()
  }
  Thread.detachNewThread {
    isOver.lookOut()
    second()
    ended.leave()
  }
  ended.wait()
}

final class Flag: Sendable {
  private let isRaised = Atomic(false)

  func raise() { isRaised.store(true, ordering: .releasing) }

  func lookOut(_ most: Int = 10_000_000) {
    var looks = most
    while looks > 0, !isRaised.load(ordering: .acquiring) { looks -= 1 }
  }
}

@Suite struct Meetings {
  @Test func movesAtOnce() {
    let pantry = Pantry()
    atOnce({ pantry.moveUp() }, { pantry.moveDown() })
    #expect(pantry.total == 0)
  }
}

final class OldMeetings: XCTestCase {
  func testMovesAtOnce() {
    let pantry = Pantry()
    atOnce({ pantry.moveUp() }, { pantry.moveDown() })
    XCTAssertEqual(pantry.total, 0)
  }

  /// A test that measures its speed cannot be explored.
  func testMovesWhileItIsMeasured() {
    let pantry = Pantry()
    measure { atOnce({ pantry.moveUp() }, { pantry.moveDown() }) }
  }
}
