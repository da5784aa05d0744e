import Synchronization

extension Scenario {
  /// A counter of visitors calls a method of its own inside of `withLock`.
  ///
  /// **What people write.** `admit` counts a visitor inside of `withLock`, and asks `isFull` there,
  /// which is public and locks as well.
  ///
  /// **Why it breaks.** A `Mutex` is not recursive, and the thread that asks for it holds it.
  ///
  /// **How it shows.** The program ends with "Recursive call to lock Mutex", each time. The stack
  /// shows the second call, but not the first one, if that lies in another module's closure.
  ///
  /// **Repair.** An inner function that gets the value, and does not lock.
  static let mutexRelock = Scenario(
    id: "mutex-relock", fault: .deadlocks,
    summary: "A closure of a Mutex's withLock calls a method that takes the same Mutex.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("selfDeadlock", allowing: "crash")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let museum = Museum()
      museum.admitAsking()
    },
    repaired: {
      let museum = Museum()
      museum.admit()
      precondition(!museum.isFull)
    })
}

private final class Museum: Sendable {
  private let visitors = Mutex(0)

  var isFull: Bool { visitors.withLock { Self.isFull($0) } }

  func admitAsking() {
    visitors.withLock { if !isFull { $0 += 1 } }
  }

  func admit() {
    visitors.withLock { if !Self.isFull($0) { $0 += 1 } }
  }

  private static func isFull(_ visitors: Int) -> Bool { visitors >= 100 }
}
