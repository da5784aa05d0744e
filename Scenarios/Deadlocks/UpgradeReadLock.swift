import Foundation

extension Scenario {
  /// A route table asks for the write lock while it holds the read lock of the same lock.
  ///
  /// **What people write.** Look up under the read lock, since that is cheap; if the entry is
  /// missing, take the write lock and compute it. The read lock is released at the end of the
  /// function, by `defer`.
  ///
  /// **Why it breaks.** A writer waits until all readers have left. One of them is the writer
  /// itself.
  ///
  /// **How it shows.** A silent hang on the first miss; where every entry is loaded at the start,
  /// only after the first change.
  ///
  /// **Repair.** Release the read lock first and look again under the write lock.
  static let upgradeReadLock = Scenario(
    id: "upgrade-read-lock", fault: .deadlocks,
    summary: "A read lock is held while the write lock of the same lock is asked for.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("selfDeadlock"), explore: .finds("selfDeadlock")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let routes = RouteTable()
      precondition(routes.distanceUpgrading(to: "Oslo") == 4)
    },
    repaired: {
      let routes = RouteTable()
      onThreads(
        { precondition(routes.distance(to: "Oslo") == 4) },
        { precondition(routes.distance(to: "Oslo") == 4) })
    })
}

/// `lock` protects `distances`.
private final class RouteTable: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>
  private var distances: [String: Int] = [:]

  init() {
    lock = .allocate(capacity: 1)
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func distanceUpgrading(to city: String) -> Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    if let known = distances[city] { return known }
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return compute(city)
  }

  func distance(to city: String) -> Int {
    pthread_rwlock_rdlock(lock)
    let known = distances[city]
    pthread_rwlock_unlock(lock)
    if let known { return known }
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return distances[city] ?? compute(city)
  }

  /// Expects the write lock to be held.
  private func compute(_ city: String) -> Int {
    distances[city] = city.count
    return city.count
  }
}
