import Dispatch
import Foundation
import Synchronization

extension Case {
  static let pools: [Case] = [
    Case("helped") {
      let ended = DispatchSemaphore(value: 0)
      Task.detached(priority: .utility) {
        for _ in 0..<12 { await waitForBlocks(ProcessInfo.processInfo.activeProcessorCount) }
        ended.signal()
      }
      ended.wait()
    }
  ]

  private static func waitForBlocks(_ cores: Int) async {
    let arrived = Arrivals()
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<2 * cores { tasks.addTask { waitForBlock(cores, arrived) } }
    }
  }

  /// Every thread for tasks waits for a block that has no thread yet; libdispatch sees that within
  /// a second.
  private static func waitForBlock(_ cores: Int, _ arrived: Arrivals) {
    let group = DispatchGroup()
    arrived.announce()
    arrived.wait(for: cores)
    DispatchQueue.global(qos: .utility).async(group: group) { usleep(1_000) }
    group.wait()
  }
}

/// Counts who has come, by what nobody who watches locks learns anything from.
final class Arrivals: Sendable {
  private let count = Atomic(0)

  func announce() { count.add(1, ordering: .sequentiallyConsistent) }

  func wait(for number: Int) {
    while count.load(ordering: .sequentiallyConsistent) < number { sched_yield() }
  }
}
