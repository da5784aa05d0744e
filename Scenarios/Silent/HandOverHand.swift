import Foundation

extension Scenario {
  /// Threads walk along a list, taking the next node's lock before they leave the last one's.
  ///
  /// **What people write.** One lock for each node of a sorted list, so that several threads can
  /// work on it at once: lock coupling, hand over hand.
  ///
  /// **Why it looks dangerous.** Many locks made at one place in the source are nested in each
  /// other, and no lock is held from beginning to end.
  ///
  /// **Why it is correct.** Everybody goes in the direction of the list, so there is an order among
  /// the nodes.
  static let handOverHand = Scenario(
    id: "hand-over-hand", summary: "Lock coupling along a list, in list order.",
    correct: {
      let list = SortedList()
      let both = Arrivals()
      onThreads(
        {
          both.meet(2, limit: .infinity)
          for number in 0..<100 { list.insert(2 * number) }
        },
        {
          both.meet(2, limit: .infinity)
          for number in (0..<100).reversed() { list.insert(2 * number + 1) }
        })
      precondition(list.values == Array(0..<200))
    })
}

/// `lock` protects `next`.
private final class Node: @unchecked Sendable {
  let lock = NSLock()
  let value: Int
  var next: Node?

  init(_ value: Int, next: Node? = nil) {
    self.value = value
    self.next = next
  }
}

private final class SortedList: Sendable {
  private let head = Node(.min)

  func insert(_ value: Int) {
    var node = head
    node.lock.lock()
    while let next = node.next {
      next.lock.lock()
      if next.value > value {
        next.lock.unlock()
        break
      }
      node.lock.unlock()
      node = next
    }
    node.next = Node(value, next: node.next)
    node.lock.unlock()
  }

  /// Expects that nobody else uses the list.
  var values: [Int] {
    sequence(first: head) { $0.next }.dropFirst().map(\.value)
  }
}
