import Dispatch

extension Scenario {
  /// A photo counts its likes, and every access to the number goes through a queue.
  ///
  /// **What people write.** Thread Sanitizer has complained about the counter, so its getter and
  /// its setter each got a `queue.sync`. Now it is silent, and `photo.likes += 1` stays as it was.
  ///
  /// **Why it breaks.** `+=` is the getter, an addition and the setter. Between the two the queue
  /// is free, and another thread reads the same old number.
  ///
  /// **How it shows.** A like is missing now and then. There is no data race, so no sanitizer says
  /// anything, and everybody who reads the class sees that it is thread-safe.
  ///
  /// **Repair.** Offer the whole change as one method with one `sync` around it, and no setter.
  static let syncedAccessors = Scenario(
    id: "synced-accessors", fault: .atomicity,
    summary: "Getter and setter use queue.sync each, and += uses both.",
    expectations: [
      .flawed: .init(.mayErr, observe: .missed, explore: .finds("assertionFailure")),
      .harmful: .init(.errs, observe: .missed, explore: .finds("assertionFailure")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let photo = Photo()
      onThreads({ photo.likes += 1 }, { photo.likes += 1 })
      demand(photo.likes, equals: 2)
    },
    harmful: {
      let photo = Photo()
      let both = Arrivals()
      onThreads(
        { increase(&photo.likes) { both.meet(2, limit: .infinity) } },
        { increase(&photo.likes) { both.meet(2, limit: .infinity) } })
      demand(photo.likes, equals: 2)
    },
    repaired: {
      let photo = Photo()
      let both = Arrivals()
      onThreads(
        { photo.like { both.meet(2, limit: 0.1) } },
        { photo.like { both.meet(2, limit: 0.1) } })
      demand(photo.likes, equals: 2)
    })
}

/// What `+= 1` does, with time for a cup of tea between the getter and the setter.
private func increase(_ number: inout Int, meanwhile: () -> Void) {
  meanwhile()
  number += 1
}

private final class Photo: @unchecked Sendable {
  private let queue = DispatchQueue(label: "photo")
  // Used on the queue only.
  private var number = 0

  var likes: Int {
    get { queue.sync { number } }
    set { queue.sync { number = newValue } }
  }

  /// `meanwhile` stands for what a busy machine does in the middle of the change.
  func like(meanwhile: () -> Void) {
    queue.sync {
      let before = number
      meanwhile()
      number = before + 1
    }
  }
}
