import Glibc
import Synchronization

/// Where each thread says that it has taken its first object, and waits for the others to say so.
///
/// One atomic number: no lock, no queue and no join, so it adds nothing to who waits for whom.
final class Meeting: Sendable {
  private let awaited: Int
  private let count = Atomic(0)

  init(of awaited: Int = 2) { self.awaited = awaited }

  func come() {
    count.add(1, ordering: .sequentiallyConsistent)
    while count.load(ordering: .sequentiallyConsistent) < awaited { usleep(500) }
  }
}
