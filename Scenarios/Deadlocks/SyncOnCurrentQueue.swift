import Dispatch

extension Scenario {
  /// A photo list calls its own synchronised method from inside another synchronised method.
  ///
  /// **What people write.** A class keeps its state on a private serial queue, and every public
  /// method is one `queue.sync`. One day `add` has to trim the list, and calls the public `trim`,
  /// which is there already.
  ///
  /// **Why it breaks.** `sync` waits until the queue is free. The queue is busy with the very block
  /// that waits.
  ///
  /// **How it shows.** libdispatch notices and traps: "dispatch_sync called on queue already owned
  /// by current thread". It shows only with the first list that is long enough to be trimmed, often
  /// at a customer's.
  ///
  /// **Repair.** A private method that expects to be on the queue does the work; both public ones
  /// call it.
  static let syncOnCurrentQueue = Scenario(
    id: "sync-on-current-queue", fault: .deadlocks,
    summary:
      "A method that syncs onto a serial queue calls another that syncs onto the same queue.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("queueReentry"), explore: .finds("queueReentry")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let list = PhotoList(limit: 2)
      for name in ["cat.jpg", "dog.jpg", "owl.jpg"] { list.addAndTrim(name) }
    },
    repaired: {
      let list = PhotoList(limit: 2)
      for name in ["cat.jpg", "dog.jpg", "owl.jpg"] { list.add(name) }
      precondition(list.count == 2)
    })
}

/// `queue` protects `names`.
private final class PhotoList: @unchecked Sendable {
  private let queue = DispatchQueue(label: "photo-list")
  private let limit: Int
  private var names: [String] = []

  init(limit: Int) { self.limit = limit }

  var count: Int { queue.sync { names.count } }

  func addAndTrim(_ name: String) {
    queue.sync {
      names.append(name)
      if names.count > limit { trim() }
    }
  }

  func add(_ name: String) {
    queue.sync {
      names.append(name)
      dropOldest()
    }
  }

  func trim() { queue.sync { dropOldest() } }

  private func dropOldest() { names.removeFirst(max(0, names.count - limit)) }
}
