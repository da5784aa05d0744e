import Foundation
import Synchronization

/// The turns of two operations, one after the other.
final class Turns: Sendable {
  let pair = Pair()
  let begin = Flag()
  let firstIsOver = Flag()
  let secondIsOver = Flag()

  /// Returns after the second operation has gone backward; its caller is the first one's thread.
  func endFirst() {
    firstIsOver.raise()
    secondIsOver.wait()
  }
}

/// Goes forward, and keeps its thread.
final class FirstOperation: Operation, @unchecked Sendable {
  // A constant of a sendable type: `@unchecked` only repeats what the class inherits.
  private let turns: Turns

  init(_ turns: Turns) { self.turns = turns }

  override func main() { turns.pair.forward() }

  override func start() {
    super.start()
    turns.endFirst()
  }
}

/// Goes backward. Foundation asks whether it is ready when its dependency has finished, and when it
/// is added to a queue.
final class SecondOperation: Operation, @unchecked Sendable {
  // Constants of sendable types: `@unchecked` only repeats what the class inherits.
  private let turns: Turns
  private let isToldOfEnd: Atomic<Bool>

  init(_ turns: Turns, follows: Bool) {
    self.turns = turns
    isToldOfEnd = Atomic(!follows)
  }

  override var isReady: Bool {
    if turns.begin.isRaised, !isToldOfEnd.exchange(true, ordering: .sequentiallyConsistent) {
      turns.endFirst()
    }
    return super.isReady
  }

  override func main() {
    turns.pair.backward()
    turns.secondIsOver.raise()
  }
}
