import Dispatch
import Foundation
import Synchronization

/// Brings two pieces of work together: the slow one goes on for a while after the urgent one has
/// said that it is about to wait.
final class Meeting: Sendable {
  /// Far above the limit from which a wait does harm.
  static let pause = 0.1

  private let stage = Atomic(0)
  private let ended = DispatchGroup()

  /// Called by the slow one once it has what the urgent one is going to wait for.
  func dawdle() {
    stage.store(1, ordering: .sequentiallyConsistent)
    wait(for: 2)
    Thread.sleep(forTimeInterval: Self.pause)
  }

  /// Called by the urgent one right before it waits.
  func arrive() {
    wait(for: 1)
    stage.store(2, ordering: .sequentiallyConsistent)
  }

  private func wait(for number: Int) {
    while stage.load(ordering: .sequentiallyConsistent) < number {
      Thread.sleep(forTimeInterval: 0.000_5)
    }
  }

  /// Runs a part on a queue of its own with this quality; `nil`: none was chosen.
  func run(at quality: DispatchQoS?, _ part: @escaping @Sendable (Meeting) -> Void) {
    let queue =
      quality.map { DispatchQueue(label: "part", qos: $0) } ?? DispatchQueue(label: "part")
    queue.async(group: ended) { part(self) }
  }

  func runOnThread(
    at quality: QualityOfService, _ part: @escaping @Sendable (Meeting) -> Void
  ) {
    ended.enter()
    let thread = Thread {
      part(self)
      self.ended.leave()
    }
    thread.qualityOfService = quality
    thread.start()
  }

  func end() { ended.wait() }
}
