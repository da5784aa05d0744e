import Dispatch

extension Scenario {
  /// The model's queue syncs onto the storage queue, never the other way round.
  ///
  /// **What people write.** Layers, each with a serial queue; the upper one calls down with `sync`,
  /// the lower one reports up with `async`.
  ///
  /// **Why it looks dangerous.** `sync` from inside one serial queue onto another is what queue
  /// deadlocks are made of.
  ///
  /// **Why it is correct.** All waiting goes one way. What goes up does not wait.
  static let ownQueueSync = Scenario(
    id: "own-queue-sync",
    summary: "sync from one serial queue to another, always in one direction.",
    correct: {
      let model = Model()
      let edits = DispatchGroup()
      for number in 0..<100 {
        DispatchQueue.global().async(group: edits) { model.insert(number) }
      }
      edits.wait()
      model.waitForReports()
      precondition(model.reported == 100)
    })
}

/// `queue` protects `reports`, and `storage` protects `rows`.
private final class Model: @unchecked Sendable {
  private let queue = DispatchQueue(label: "model")
  private let storage = DispatchQueue(label: "storage")
  private let pending = DispatchGroup()
  private var reports = 0
  private var rows: [Int] = []

  var reported: Int { queue.sync { reports } }

  func insert(_ row: Int) {
    queue.sync {
      storage.sync {
        rows.append(row)
        queue.async(group: pending) { self.reports += 1 }
      }
    }
  }

  func waitForReports() { pending.wait() }
}
