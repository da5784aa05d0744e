import Dispatch
import Foundation
import Synchronization

/// Steps that several pieces of work take one after the other.
final class Steps: Sendable {
  private let taken = Atomic(0)

  func take(_ number: Int) { taken.store(number, ordering: .sequentiallyConsistent) }

  func wait(for number: Int) {
    while taken.load(ordering: .sequentiallyConsistent) < number {
      Thread.sleep(forTimeInterval: 0.000_5)
    }
  }
}

/// Brings two pieces of work together: the slow one goes on for a while after the urgent one has
/// said that it is about to wait.
final class Meeting: Sendable {
  /// Far above the limit from which a wait does harm.
  static let pause = 0.1

  private let stage = Steps()
  private let ended = DispatchGroup()

  /// Called by the slow one once it has what the urgent one is going to wait for.
  func dawdle() {
    stage.take(1)
    stage.wait(for: 2)
    Thread.sleep(forTimeInterval: Self.pause)
  }

  /// Called by the urgent one right before it waits.
  func arrive() {
    stage.wait(for: 1)
    stage.take(2)
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
