import Foundation
import Synchronization

/// Tells a thread when, and nothing else: it passes on no word of what was done before.
///
/// With it a program has a race whose accesses come one after the other, in an order of its choice:
/// it is certain which update is lost, and nobody sees half of a reference. It is a race all the
/// same, because a relaxed atomic orders nothing but itself. ``Arrivals`` does order what comes
/// before it.
final class Sighting: Sendable {
  private let seen = Atomic(false)

  func show() { seen.store(true, ordering: .relaxed) }

  /// Returns when it was shown, or after `limit`.
  ///
  /// The limit is for programs in which it cannot be shown yet, because a lock keeps the other
  /// thread out.
  func wait(limit: TimeInterval = .infinity) {
    let deadline = Date(timeIntervalSinceNow: limit)
    while !seen.load(ordering: .relaxed) && Date() < deadline {
      Thread.sleep(forTimeInterval: 0.000_5)
    }
  }
}
