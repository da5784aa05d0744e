import Foundation
import Synchronization

/// Counts who has come, and lets threads wait for them: the start gate with which a program makes
/// its threads meet.
///
/// It is one atomic number and short sleeps. Whoever watches locks, queues and joins learns nothing
/// from it about the order of two threads, just as nobody learns anything from chance.
final class Arrivals: Sendable {
  private let count = Atomic(0)

  func announce() {
    count.add(1, ordering: .sequentiallyConsistent)
  }

  /// Returns once `number` have announced themselves; never, if they do not.
  func wait(for number: Int = 1) {
    while count.load(ordering: .sequentiallyConsistent) < number { pause() }
  }

  /// The same, but goes on after a while whether they have come or not: as a rule, they have.
  ///
  /// For programs in which one thing comes after another only because it takes its time: nothing
  /// promises that, and the other way round goes wrong. A while is so many looks and not a time, so
  /// that a busy machine makes it longer.
  func waitAWhile(for number: Int = 1) {
    for _ in 0..<Probes.installed.patience {
      guard count.load(ordering: .sequentiallyConsistent) < number else { return }
      pause()
    }
  }

  /// Announces the caller and waits for the others, but no longer than `limit`.
  ///
  /// The limit is for programs in which the meeting cannot happen, because a lock keeps one of the
  /// threads out.
  func meet(_ number: Int, limit: TimeInterval) {
    announce()
    wait(for: number, until: Date(timeIntervalSinceNow: limit))
  }

  private func wait(for number: Int, until deadline: Date) {
    while count.load(ordering: .sequentiallyConsistent) < number && Date() < deadline { pause() }
  }

  private func pause() { Thread.sleep(forTimeInterval: 0.000_5) }
}
