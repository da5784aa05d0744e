import Dispatch
import Synchronization

extension Scenario {
  /// Uploads that belong to a group are cancelled; one of them has already begun.
  ///
  /// **What people write.** Every upload enters a group, and its work item leaves it at the end.
  /// "Cancel" cancels all items and leaves the group once for each, because items that never run
  /// never leave.
  ///
  /// **Why it breaks.** `cancel()` does not stop an item that has begun. It leaves the group a
  /// second time when it is over.
  ///
  /// **How it shows.** Only when somebody cancels in the middle of an upload: "all done" comes
  /// while others still run, or the program dies inside libdispatch.
  ///
  /// **Repair.** Leave only for items that will not run: an item that begins says so first, under
  /// the lock under which "cancel" looks.
  static let cancelledLeave = Scenario(
    id: "cancelled-leave", fault: .atomicity,
    summary: "A group is left for a cancelled work item that had already started.",
    expectations: [
      .flawed: .init(
        .traps, observe: .finds("unbalancedGroup"), explore: .finds("unbalancedGroup")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let batch = Batch()
      batch.upload(2)
      batch.begun.wait()
      batch.cancelAll()
      batch.finish()
    },
    repaired: {
      let batch = Batch()
      batch.upload(2)
      batch.begun.wait()
      batch.cancelWaiting()
      batch.finish()
    })
}

private final class Batch: @unchecked Sendable {
  let begun = Arrivals()
  private let group = DispatchGroup()
  private let queue = DispatchQueue(label: "uploads")
  // Used by the thread that made the batch only.
  private var items: [DispatchWorkItem] = []
  /// Uploads that nobody else may touch: they have begun, or are not to begin any more.
  private let taken = Mutex<Set<Int>>([])
  private let network = Arrivals()

  func upload(_ count: Int) {
    for number in 0..<count {
      group.enter()
      let item = DispatchWorkItem { [self] in
        guard take(number) else { return }
        begun.announce()
        network.wait()
        group.leave()
      }
      items.append(item)
      queue.async(execute: item)
    }
  }

  func cancelAll() {
    for item in items {
      item.cancel()
      group.leave()
    }
  }

  func cancelWaiting() {
    for (number, item) in items.enumerated() where take(number) {
      item.cancel()
      group.leave()
    }
  }

  /// The upload that has begun comes to its end.
  func finish() {
    network.announce()
    queue.sync {}
    group.wait()
  }

  private func take(_ number: Int) -> Bool {
    taken.withLock { $0.insert(number).inserted }
  }
}
