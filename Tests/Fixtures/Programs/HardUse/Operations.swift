import Foundation
import Synchronization

/// Runs this many operations with dependencies on one another, on three queues; returns how many
/// ran after all that they depend on.
@Sendable func operations(_ number: Int) -> Int {
  let queues = [1, 2, 8].map { width in
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    return queue
  }
  var right = 0
  var left = number
  while left > 0 {
    let batch = Batch(min(left, 500))
    batch.run(on: queues)
    right += batch.right
    left -= batch.count
  }
  return right
}

/// A few hundred operations: each depends on the one before the last, and on one further back.
private final class Batch: Sendable {
  let count: Int
  private let finished: [Flag]
  private let inOrder = Tally()

  init(_ count: Int) {
    self.count = count
    finished = (0..<count).map { _ in .init() }
  }

  var right: Int { inOrder.value }

  func run(on queues: [OperationQueue]) {
    let operations = (0..<count).map { index in BlockOperation { self.step(index) } }
    for index in operations.indices {
      for other in Self.dependencies(of: index) {
        operations[index].addDependency(operations[other])
      }
    }
    // Foundation may forget an operation whose last dependency finishes just as it is added: it
    // notes "not ready" after it was told "ready". So nothing runs before all of them are added.
    for queue in queues { queue.isSuspended = true }
    for (index, operation) in operations.enumerated() {
      queues[index % queues.count].addOperation(operation)
    }
    for queue in queues { queue.isSuspended = false }
    for queue in queues { queue.waitUntilAllOperationsAreFinished() }
  }

  private static func dependencies(of index: Int) -> [Int] {
    [index - 2, index - 7].filter { $0 >= 0 }
  }

  private func step(_ index: Int) {
    if Self.dependencies(of: index).allSatisfy({ finished[$0].isSet }) {
      inOrder.add(1)
    }
    finished[index].set()
  }
}

private final class Flag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .sequentiallyConsistent) }
  func set() { flag.store(true, ordering: .sequentiallyConsistent) }
}
