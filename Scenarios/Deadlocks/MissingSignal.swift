import Dispatch

extension Scenario {
  /// A shop lets two customers in at a time, and one of them leaves through the back door.
  ///
  /// **What people write.** A semaphore limits how many requests are under way. A request waits for
  /// its place, and returns early when there is nothing to do.
  ///
  /// **Why it breaks.** The early return skips the `signal()`, so the place is gone for good. Each
  /// such request takes one, and the last place leaves nobody in.
  ///
  /// **How it shows.** After a while nothing is served any more. The semaphore does not tell who
  /// kept the places: the guilty one has long returned.
  ///
  /// **Repair.** `defer { places.signal() }` right after the wait.
  static let missingSignal = Scenario(
    id: "missing-signal", fault: .deadlocks,
    summary: "An early return between wait and signal.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("hang"), explore: .finds("hang"), options: "hang=1"),
      .repaired: .init(.ends, observe: .silent, options: "hang=1"),
    ],
    flawed: {
      let shop = Shop()
      for order in ["bread", "", "", "milk"] { shop.serve(order) }
    },
    repaired: {
      let shop = Shop()
      for order in ["bread", "", "", "milk"] { shop.serveToTheEnd(order) }
    })
}

private final class Shop: Sendable {
  private let places = DispatchSemaphore(value: 2)

  func serve(_ order: String) {
    places.wait()
    guard !order.isEmpty else { return }
    pack(order)
    places.signal()
  }

  func serveToTheEnd(_ order: String) {
    places.wait()
    defer { places.signal() }
    guard !order.isEmpty else { return }
    pack(order)
  }

  private func pack(_ order: String) { precondition(!order.isEmpty) }
}
